def refuse(state):
    raise ValueError("this state is not known")
