"""How is ankare used from a terminal?"""
