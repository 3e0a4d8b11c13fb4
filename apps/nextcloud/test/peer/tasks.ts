// The peer server's task tools, and what replaces each of them here.

export const tasksPeer: Readonly<Record<string, string>> = {
  nc_calendar_list_todos: "nc_tasks_list_tasks with `list`",
  nc_calendar_search_todos: "nc_tasks_list_tasks without `list`",
  nc_calendar_create_todo: "nc_tasks_create_task",
  nc_calendar_update_todo: "nc_tasks_update_task",
  nc_calendar_complete_todo: "nc_tasks_complete_task",
  nc_calendar_delete_todo: "nc_tasks_delete_task",
}
