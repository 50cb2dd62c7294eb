"""How does somebody who may do so change what is held?"""
