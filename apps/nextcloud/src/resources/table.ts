// The table of resources: each has a URI and the tool that reads it, so scopes, apps and errors are the tool's own.

export interface ResourceRow {
  /** `nc://notes/{id}`; a template when it has variables. `{+path}` also matches slashes. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly tool: string
  /** Turns the variables of the URI into the arguments of the tool. */
  readonly input: (variables: Readonly<Record<string, string>>) => object
  /** The output member that is the content. Without it, the whole output is returned as JSON. */
  readonly content?: string
  /** The output member that changes whenever the resource does. Without one, the resource cannot be watched. */
  readonly version?: string
}

const json = "application/json"
const noInput = (): object => ({})

export const resources: readonly ResourceRow[] = [
  {
    uri: "nc://capabilities",
    name: "capabilities",
    title: "What this Nextcloud can do",
    description: "Its version, its apps and what they support",
    mimeType: json,
    tool: "nc_users_get_capabilities",
    input: noInput,
  },
  {
    uri: "nc://me",
    name: "me",
    title: "The user's profile",
    description: "Name, e-mail, groups, quota",
    mimeType: json,
    tool: "nc_users_get_me",
    input: noInput,
  },
  {
    uri: "nc://notes",
    name: "notes",
    title: "Notes",
    description: "All notes, without their content",
    mimeType: json,
    tool: "nc_notes_list_notes",
    input: () => ({ limit: 200 }),
  },
  // Must come before `nc://notes/{id}`, which also matches this URI: the first match wins.
  {
    uri: "nc://notes/settings",
    name: "notes-settings",
    title: "Settings of Notes",
    description: "Where notes are kept",
    mimeType: json,
    tool: "nc_notes_get_settings",
    input: noInput,
  },
  {
    uri: "nc://notes/{id}",
    name: "note",
    title: "A note",
    description: "Its text, in Markdown",
    mimeType: "text/markdown",
    tool: "nc_notes_get_note",
    input: ({ id }) => ({ note_id: Number(id) }),
    content: "content",
    version: "etag",
  },
  {
    uri: "nc://files/{+path}",
    name: "file",
    title: "A file",
    description: "Its content: text as text, anything else as bytes",
    mimeType: "application/octet-stream",
    tool: "nc_files_read_file",
    input: ({ path }) => ({ path }),
    content: "content",
    version: "etag",
  },
  {
    uri: "nc://folders/{+path}",
    name: "folder",
    title: "A folder",
    description: "Its files and folders",
    mimeType: json,
    tool: "nc_files_list_directory",
    input: ({ path }) => ({ path }),
  },
  {
    uri: "nc://calendars",
    name: "calendars",
    title: "Calendars",
    description: "All calendars and task lists",
    mimeType: json,
    tool: "nc_calendar_list_calendars",
    input: noInput,
  },
  {
    uri: "nc://events/{+id}",
    name: "event",
    title: "An event",
    description: "With attendees and alarms",
    mimeType: json,
    tool: "nc_calendar_get_event",
    input: ({ id }) => ({ event_id: id }),
    version: "etag",
  },
  {
    uri: "nc://tasks/{+id}",
    name: "task",
    title: "A task",
    description: "With its due date and state",
    mimeType: json,
    tool: "nc_tasks_get_task",
    input: ({ id }) => ({ task_id: id }),
    version: "etag",
  },
  {
    uri: "nc://contacts/{addressbook}/{uid}",
    name: "contact",
    title: "A contact",
    description: "With all its details",
    mimeType: json,
    tool: "nc_contacts_get_contact",
    input: ({ addressbook, uid }) => ({ addressbook, uid }),
    version: "etag",
  },
  {
    uri: "nc://notes/{id}/attachments/{filename}",
    name: "note-attachment",
    title: "A file in a note",
    description: "A picture, for example",
    mimeType: "application/octet-stream",
    tool: "nc_notes_get_attachment",
    input: ({ id, filename }) => ({ note_id: Number(id), filename }),
    content: "content",
  },
  {
    uri: "nc://collectives/{collective}/{page}",
    name: "page",
    title: "A page of a collective",
    description: "Its text, in Markdown",
    mimeType: "text/markdown",
    tool: "nc_collectives_get_page",
    input: ({ collective, page }) => ({ collective_id: Number(collective), page_id: Number(page) }),
    content: "content",
    version: "etag",
  },
  {
    uri: "nc://addressbooks",
    name: "addressbooks",
    title: "Address books",
    description: "All address books",
    mimeType: json,
    tool: "nc_contacts_list_addressbooks",
    input: noInput,
  },
  {
    uri: "nc://deck/boards",
    name: "boards",
    title: "Deck boards",
    description: "All boards",
    mimeType: json,
    tool: "nc_deck_list_boards",
    input: noInput,
  },
  {
    uri: "nc://deck/boards/{id}",
    name: "board",
    title: "A Deck board",
    description: "With its stacks and labels",
    mimeType: json,
    tool: "nc_deck_get_board",
    input: ({ id }) => ({ board_id: Number(id) }),
  },
  {
    uri: "nc://deck/boards/{id}/cards",
    name: "cards",
    title: "Cards of a Deck board",
    description: "Its open cards, list by list",
    mimeType: json,
    tool: "nc_deck_list_cards",
    input: ({ id }) => ({ board_id: Number(id), limit: 200 }),
  },
  {
    uri: "nc://deck/boards/{board}/stacks/{stack}/cards/{card}",
    name: "card",
    title: "A Deck card",
    description: "With its description and attachments",
    mimeType: json,
    tool: "nc_deck_get_card",
    input: ({ board, stack, card }) => ({ board_id: Number(board), stack_id: Number(stack), card_id: Number(card) }),
    version: "etag",
  },
  {
    uri: "nc://tables/{id}",
    name: "table",
    title: "A table",
    description: "Its first rows",
    mimeType: json,
    tool: "nc_tables_read_table",
    input: ({ id }) => ({ table_id: Number(id) }),
  },
  {
    uri: "nc://cookbook/config",
    name: "cookbook-config",
    title: "Settings of Cookbook",
    description: "Where recipes are kept",
    mimeType: json,
    tool: "nc_cookbook_get_config",
    input: noInput,
  },
  {
    uri: "nc://cookbook/{id}",
    name: "recipe",
    title: "A recipe",
    description: "With ingredients and steps",
    mimeType: json,
    tool: "nc_cookbook_get_recipe",
    input: ({ id }) => ({ recipe_id: Number(id) }),
  },
  {
    uri: "nc://talk/{token}",
    name: "conversation",
    title: "A conversation in Talk",
    description: "Its last messages",
    mimeType: json,
    tool: "nc_talk_get_messages",
    input: ({ token }) => ({ token }),
  },
]
