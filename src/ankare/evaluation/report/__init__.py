"""How are runs told to people: a page that stands alone, a comment on a pull request, tables?

folders of runs -> told -> headline, tables, charts, cases -> page; Markdown; CSV
"""
