"""The HTTP API under `/api/v1`, for programs: the page's commands and views as JSON."""
