"""Shows a result as a page and in the terminal."""

from weir_lab.report.comparison import compare_table, write_comparison
from weir_lab.report.page import Section, write, write_page
from weir_lab.report.standalone import write_plots
from weir_lab.report.terminal import text

__all__ = ["Section", "compare_table", "text", "write", "write_comparison", "write_page", "write_plots"]
