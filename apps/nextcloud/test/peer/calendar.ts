// The peer server's calendar tools, and what replaces each of them here.

export const calendarPeer: Readonly<Record<string, string>> = {
  nc_calendar_list_calendars: "nc_calendar_list_calendars",
  nc_calendar_create_event: "nc_calendar_create_event",
  nc_calendar_list_events: "nc_calendar_list_events",
  nc_calendar_get_event: "nc_calendar_get_event",
  nc_calendar_update_event: "nc_calendar_update_event",
  nc_calendar_delete_event: "nc_calendar_delete_event",
  nc_calendar_create_meeting: "nc_calendar_create_event with `attendees`",
  nc_calendar_get_upcoming_events: "nc_calendar_list_events with `days_ahead`",
  nc_calendar_find_availability: "nc_calendar_find_availability",
  nc_calendar_bulk_operations: "nc_calendar_bulk_operations",
  nc_calendar_manage_calendar:
    "nc_calendar_create_calendar, nc_calendar_update_calendar, nc_calendar_delete_calendar, nc_calendar_list_calendars",
}
