"""How are figures drawn as SVG, without a library and without a script?"""
