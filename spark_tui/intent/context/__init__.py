"""What words mean at one place of one repository: names, areas, anchors, and the edit before."""
