"""What words mean at one place in one repository: names, areas, anchors, and the previous edit."""
