"""A worksheet, its answers and a plan for a lesson of 90 minutes, as HTML to print: python -m app.site.worksheet.

measured.py   what the tasks ask for, measured in the shipped models
task.py       what a task and a phase of the lesson consist of
tasks.py      the tasks with their answers and phases, in the order of the tour
feeding.py    the figure of the task on input feeding
lesson.py     the plan, made of the tasks' phases
pages.py      all of it as HTML
"""
