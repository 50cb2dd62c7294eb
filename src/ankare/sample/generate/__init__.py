"""How are the documents and the fact files of the sample pack made?

    texts/*.md, *.toml --source--> blocks --typeset--> PDF
                                          --office---> DOCX, PPTX, XLSX
    texts/verbatim/*   --copied--------------------> HTML, Markdown, plain text
    texts/*.facts.toml --books---> sums   --fact_files-> CSV, XLSX

`check_suite` holds the question suite against what came of it.

Every run writes the same bytes: dates are fixed, archives have sorted entries, and nothing is random.
"""
