"""How does a table in a CSV file or a workbook become figures with their lineage? `read.py` is where to start."""
