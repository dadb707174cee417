"""Packages: the folder `kernels` is `transpiler_kernels` where it is installed; another `kernels` is well known."""
from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=['transpiler*']), *(f'transpiler_{name}' for name in find_packages(include=['kernels*']))],
    package_dir={'transpiler_kernels': 'kernels'},
)
