"""How are the documents of the sample pack made?

    texts/*.md, *.toml --source--> blocks --typeset--> PDF
                                          --office---> DOCX, PPTX, XLSX
    texts/verbatim/*   --copied--------------------> HTML, Markdown, plain text

Every run writes the same bytes: dates are fixed, archives have sorted entries, and nothing is random.
"""
