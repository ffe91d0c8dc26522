import sys


class Reader:
    def close(self):
        self.file.close()


class Writer:
    def close(self):
        self.file.flush()
        self.file.close()


def main():
    print(sys.argv)
