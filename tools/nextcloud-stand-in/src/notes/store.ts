// Everyone's notes, as the Notes app stores them: unique and safe file names, an etag for each state, and the time of
// the last change that the server noticed. Independent of HTTP.

import { createHash } from "node:crypto"
import type { World } from "../world.ts"

export interface Note {
  readonly id: number
  readonly title: string
  /** The time in seconds that the client set, otherwise that of the last change of the content. */
  readonly modified: number
  /** Folders below the notes folder, "" for none. */
  readonly category: string
  readonly favorite: boolean
  readonly content: string
  /** The file extension. */
  readonly suffix: string
  readonly etag: string
  /** The time in seconds when the server last noticed a change. Lists are sorted by it. */
  readonly lastUpdate: number
}

export interface NoteInput {
  readonly title?: string | undefined
  readonly content?: string | undefined
  readonly category?: string | undefined
  readonly favorite?: boolean | undefined
  readonly modified?: number | undefined
}

export interface NoteSettings {
  readonly notesPath: string
  readonly fileSuffix: string
  readonly noteMode: string
}

interface UserNotes {
  readonly notes: Map<number, Note>
  settings: NoteSettings
}

export interface Notes {
  readonly list: (user: string) => readonly Note[]
  readonly get: (user: string, id: number) => Note | undefined
  readonly create: (user: string, input: NoteInput) => Note
  /** Returns undefined when the note does not exist. */
  readonly update: (user: string, id: number, input: NoteInput) => Note | undefined
  readonly remove: (user: string, id: number) => boolean
  /** The size of all notes of a user, in bytes. */
  readonly used: (user: string) => number
  readonly settings: (user: string, change?: Readonly<Record<string, unknown>>) => NoteSettings
  /** The path in the user's files, such as `/Notes/Haus/Liste.md`. */
  readonly pathOf: (user: string, note: Note) => string
}

const defaultSettings: NoteSettings = { notesPath: "Notes", fileSuffix: ".md", noteMode: "rich" }

/** The notes of this stand-in, for the area and for tests. */
export function notesOf(world: World): Notes {
  return world.derived("notes", () => createNotes(world))
}

function createNotes(world: World): Notes {
  const state = world.state("notes", () => ({ allNotes: new Map<string, UserNotes>(), states: 0 }))
  const { allNotes } = state

  const notesOfUser = (user: string): UserNotes => {
    const userNotes = allNotes.get(user) ?? { notes: new Map(), settings: defaultSettings }
    allNotes.set(user, userNotes)
    return userNotes
  }
  const storeNote = (userNotes: UserNotes, note: Omit<Note, "etag" | "lastUpdate">): Note => {
    state.states += 1
    const storedNote = { ...note, etag: md5(JSON.stringify([state.states, note])), lastUpdate: seconds(world) }
    userNotes.notes.set(note.id, storedNote)
    return storedNote
  }

  return {
    list: (user) => [...notesOfUser(user).notes.values()],
    get: (user, id) => notesOfUser(user).notes.get(id),
    create: (user, { title = "", content = "", category = "", favorite = false, modified }) => {
      const userNotes = notesOfUser(user)
      const suffix = userNotes.settings.fileSuffix
      const identity = { id: world.nextId(), category: toCategory(category), suffix }
      const modifiedTime = modified === undefined || modified === 0 ? seconds(world) : modified
      return storeNote(userNotes, {
        ...identity,
        title: freeTitle(userNotes, identity, title),
        modified: modifiedTime,
        favorite,
        content,
      })
    },
    update: (user, id, input) => {
      const userNotes = notesOfUser(user)
      const storedNote = userNotes.notes.get(id)
      if (storedNote === undefined) return undefined
      const category = input.category === undefined ? storedNote.category : toCategory(input.category)
      const isMoved = input.title !== undefined || category !== storedNote.category
      const title = isMoved
        ? freeTitle(userNotes, { ...storedNote, category }, input.title ?? storedNote.title)
        : storedNote.title
      const modifiedTime = input.content === undefined ? storedNote.modified : seconds(world)
      return storeNote(userNotes, {
        ...storedNote,
        title,
        category,
        content: input.content ?? storedNote.content,
        favorite: input.favorite ?? storedNote.favorite,
        modified: input.modified ?? modifiedTime,
      })
    },
    remove: (user, id) => notesOfUser(user).notes.delete(id),
    used: (user) =>
      [...notesOfUser(user).notes.values()].reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
    settings: (user, change = {}) => {
      const userNotes = notesOfUser(user)
      userNotes.settings = { ...userNotes.settings, ...toSettings(change) }
      return userNotes.settings
    },
    pathOf: (user, { category, title, suffix }) => {
      const parts = [notesOfUser(user).settings.notesPath, category, title + suffix]
      return `/${parts.filter((part) => part !== "").join("/")}`
    },
  }
}

/** The first of "Title", "Title (2)", "Title (3)" that is free in the folder. */
function freeTitle(
  userNotes: UserNotes,
  identity: Pick<Note, "id" | "category" | "suffix">,
  requestedTitle: string,
): string {
  const title = toTitle(requestedTitle)
  const usedTitles = new Set(
    [...userNotes.notes.values()]
      .filter(
        ({ id, category, suffix }) =>
          id !== identity.id && category === identity.category && suffix === identity.suffix,
      )
      .map((note) => note.title),
  )
  let candidate = title
  for (let count = 2; usedTitles.has(candidate); count += 1) candidate = `${title} (${count})`
  return candidate
}

/** The title as a file name, without characters that a file system may refuse. */
function toTitle(title: string): string {
  const safeTitle = [...title]
    .filter((character) => !'*|/\\:"<>?'.includes(character) && character >= " ")
    .join("")
    .replace(/^[. ]+/, "")
    .trim()
  return [...safeTitle].slice(0, 100).join("").trim() || "New note"
}

function toCategory(category: string): string {
  return category
    .split("/")
    .map((part) => part.replace(/[*|\\:"<>?]/g, "").trim())
    .filter((part) => part !== "" && !part.startsWith("."))
    .join("/")
}

function toSettings(change: Readonly<Record<string, unknown>>): Partial<NoteSettings> {
  const { notesPath, fileSuffix, noteMode } = change
  return {
    ...(typeof fileSuffix === "string" && { fileSuffix: toSuffix(fileSuffix) }),
    ...(typeof notesPath === "string" && { notesPath: toCategory(notesPath) || defaultSettings.notesPath }),
    ...(typeof noteMode === "string" && ["edit", "preview", "rich"].includes(noteMode) && { noteMode }),
  }
}

/** The suffix with one dot at its beginning; the default one when it has no letter or digit. */
function toSuffix(suffix: string): string {
  const plainSuffix = suffix.replace(/[^\p{L}\p{N}]/gu, "")
  return plainSuffix === "" ? defaultSettings.fileSuffix : `.${plainSuffix}`
}

export function md5(text: string): string {
  return createHash("md5").update(text).digest("hex")
}

export function seconds(world: World): number {
  return Math.floor(world.now() / 1000)
}
