"""How each library is asked: a module or package each, of the library's name. See vernier/_survey/_asked.py."""
