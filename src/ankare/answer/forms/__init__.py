"""In which form is each type of question answered? One module per form."""
