"""Where do the figures lie, with their lineage?"""
