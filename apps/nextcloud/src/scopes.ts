// The scopes that a person can allow, in plain words. Nextcloud's app passwords have no scopes: this server enforces
// them.

/** Every scope, with a description for people of what it allows. */
export const scopeWords = {
  "notes.read": "Read your notes",
  "notes.write": "Write, change and delete your notes",
  "files.read": "See and read your files",
  "files.write": "Write, move and delete your files",
  "sharing.read": "See what you share and what is shared with you",
  "sharing.write": "Share your files with others, and stop sharing them",
  "calendar.read": "See your calendars and events",
  "calendar.write": "Write, change and delete your events and calendars",
  "todo.read": "See your tasks",
  "todo.write": "Write, change and delete your tasks",
  "contacts.read": "See your contacts",
  "contacts.write": "Write, change and delete your contacts",
  "deck.read": "See your Deck boards",
  "deck.write": "Write, change and delete cards and boards in Deck, and share boards",
  "tables.read": "See your tables",
  "tables.write": "Create tables, and write, change and delete their rows",
  "cookbook.read": "See your recipes",
  "cookbook.write": "Write, change and delete your recipes",
  "news.read": "See your feeds and their articles",
  "news.write": "Mark articles, and add or remove feeds",
  "talk.read": "See your conversations and read their messages",
  "talk.write": "Send messages in your name, create conversations and add people to them",
  "mail.read": "Read your e-mail",
  "mail.write": "Mark your e-mail as read or starred",
  "mail.send": "Send e-mail in your name",
  "collectives.read": "See your collectives and their pages",
  "collectives.write": "Write, change and delete pages of your collectives",
  "search.read": "Search everything you can find in Nextcloud",
  "notifications.read": "See your notifications",
  "notifications.write": "Dismiss your notifications",
  "status.read": "See your status and that of others",
  "status.write": "Set your status",
  "users.read": "See your profile, and people and groups you may see",
} as const

export type Scope = keyof typeof scopeWords

export const isScope = (text: string): text is Scope => Object.hasOwn(scopeWords, text)
