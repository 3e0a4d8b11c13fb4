// The prompts that people choose from a menu. Each runs tools first, so that the model starts with their results, and
// asks for the consent that those tools need.

export interface PromptRow {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required?: boolean }[]
  /** The tool calls whose results the prompt includes, made from the arguments of the prompt. */
  readonly gather: (
    context: PromptContext,
  ) => readonly { readonly tool: string; readonly input: object; readonly label: string }[]
  /** What the model is asked to do with the results. */
  readonly task: (context: PromptContext) => string
}

export interface PromptContext {
  readonly arguments: Readonly<Record<string, string>>
  readonly now: Date
}

const day = (from: Date, days = 0): string => new Date(from.getTime() + days * 86_400_000).toISOString().slice(0, 10)

/** The day after this date. Text that is not a date is returned unchanged, so that the tool reports it. */
function dayAfter(date: string): string {
  const noon = new Date(`${date}T12:00:00Z`)
  return Number.isNaN(noon.getTime()) ? date : day(noon, 1)
}

export const prompts: readonly PromptRow[] = [
  {
    name: "todays_agenda",
    title: "Today's agenda",
    description: "Today's events, tasks that are due, and what to prepare",
    arguments: [{ name: "date", description: "Another day, such as 2026-05-31" }],
    gather: ({ arguments: { date }, now }) => {
      const from = date ?? day(now)
      const to = dayAfter(from)
      return [
        { tool: "nc_calendar_list_events", input: { from, to }, label: "events" },
        { tool: "nc_tasks_list_tasks", input: { due_to: to }, label: "tasks due" },
      ]
    },
    task: ({ arguments: { date }, now }) =>
      `Give me my agenda for ${date ?? day(now)}: events in order with times in their own zone, conflicts and tight ` +
      "gaps pointed out, then tasks that are due or overdue. End with what I should prepare. Be brief.",
  },
  {
    name: "weekly_task_review",
    title: "Weekly review of tasks",
    description: "Open, overdue and stuck tasks, and what to do next",
    arguments: [],
    gather: () => [{ tool: "nc_tasks_list_tasks", input: { limit: 200 }, label: "tasks" }],
    task: ({ now }) =>
      `Today is ${day(now)}. Review my open tasks with me: overdue ones first, then those without a date that look ` +
      "important, then what seems stuck or done already. Propose at most five for this week. Change nothing before I agree.",
  },
  {
    name: "summarize_folder",
    title: "Summary of a folder",
    description: "What a folder contains, and what its text files say",
    arguments: [{ name: "path", description: "Path of the folder, such as /Projects/Garden", required: true }],
    gather: ({ arguments: { path = "/" } }) => [
      { tool: "nc_files_list_directory", input: { path, limit: 200 }, label: "the folder" },
    ],
    task: ({ arguments: { path = "/" } }) =>
      `Summarize the folder ${path}: what it is about, how it is organised, what changed last. Read the texts that ` +
      "matter most (at most five) with nc_files_read_file, and say which ones you read.",
  },
  {
    name: "plan_meeting",
    title: "Plan a meeting",
    description: "Find a time that suits everyone, and draft the invitation",
    arguments: [
      { name: "topic", description: "What the meeting is about", required: true },
      { name: "attendees", description: "E-mail addresses, separated by commas" },
      { name: "minutes", description: "Length in minutes; 60 by default" },
    ],
    gather: () => [{ tool: "nc_calendar_list_calendars", input: {}, label: "calendars" }],
    task: ({ arguments: { topic = "", attendees = "", minutes = "60" }, now }) =>
      `Today is ${day(now)}. Plan a meeting of ${minutes} minutes about “${topic}”${attendees === "" ? "" : ` with ${attendees}`}. ` +
      "Use nc_calendar_find_availability for the next ten working days, propose three times, and create the event with " +
      "its attendees only after I have chosen one.",
  },
  {
    name: "tidy_notes",
    title: "Tidy up notes",
    description: "Find duplicates, empty notes and missing categories",
    arguments: [{ name: "category", description: "Only notes of this category" }],
    gather: ({ arguments: { category } }) => [
      {
        tool: "nc_notes_list_notes",
        input: { limit: 200, ...(category === undefined ? {} : { category }) },
        label: "notes",
      },
    ],
    task: () =>
      "Look through my notes: point out duplicates, empty or outdated ones, and those without a category. Propose what to " +
      "merge, rename or move to another category, as a short list. Change or delete nothing before I agree.",
  },
  {
    name: "catch_up",
    title: "What did I miss?",
    description: "Unread conversations and notifications, in a few lines",
    arguments: [],
    gather: () => [
      { tool: "nc_talk_list_conversations", input: {}, label: "conversations" },
      { tool: "nc_notifications_list_notifications", input: {}, label: "notifications" },
    ],
    task: () =>
      "Tell me what I missed: unread conversations first (read the last messages of those where I was mentioned), then " +
      "notifications that ask something of me. One line each. Mark nothing as read.",
  },
  {
    name: "board_status",
    title: "Status of a Deck board",
    description: "Cards in progress, overdue or unassigned",
    arguments: [{ name: "board_id", description: "Number of the board", required: true }],
    gather: ({ arguments: { board_id = "" } }) => [
      { tool: "nc_deck_get_board", input: { board_id: Number(board_id) }, label: "the board" },
    ],
    task: () =>
      "Give me the status of this board for a short stand-up: what is in progress and who is on it, what is overdue or " +
      "blocked, and which cards are unassigned. Do not move anything.",
  },
]
