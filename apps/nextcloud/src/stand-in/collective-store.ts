// What the stand-in knows of collectives: their pages, tags and trash. From the documented API, not recorded.

import type { Call } from "./area.ts"
import { filesArea } from "./files/area.ts"
import { decode } from "./routes.ts"
import type { World } from "./world.ts"

export interface Page {
  readonly id: number
  title: string
  emoji: string
  parentId: number
  readonly author: string
  timestamp: number
  /** What it began with. */
  readonly content: string
  readonly fileName: string
  readonly filePath: string
  readonly tags: Set<number>
  trashedAt?: number
}

export interface Tag {
  readonly id: number
  readonly collectiveId: number
  readonly name: string
  readonly color: string
}

export interface Collective {
  readonly id: number
  readonly name: string
  emoji: string
  readonly members: readonly string[]
  readonly pages: Page[]
  readonly tags: Tag[]
  trashedAt?: number
}

export function collectivesOf(world: World): Collective[] {
  return world.state("collectives", () => (world.seeded ? [handbook(world)] : []))
}

export interface Draft {
  readonly title: string
  readonly parent: number
  readonly author: string
  readonly content?: string
}

export function createPage(world: World, collective: Collective, { title, parent, author, content = "" }: Draft): Page {
  const page: Page = {
    id: world.nextId(),
    title,
    emoji: "",
    parentId: parent,
    author,
    timestamp: Math.floor(world.now() / 1000),
    content,
    fileName: parent === 0 ? "Readme.md" : `${title.replaceAll("/", "-")}.md`,
    filePath: "",
    tags: new Set(),
  }
  collective.pages.push(page)
  return page
}

function handbook(world: World): Collective {
  const members = ["alice", "bob"]
  const collective: Collective = { id: world.nextId(), name: "Handbook", emoji: "📘", members, pages: [], tags: [] }
  const author = "alice"
  const start = "# Handbook\n\nHow we work. Begin with *Onboarding*.\n"
  const first = createPage(world, collective, { title: "Landing page", parent: 0, author, content: start })
  const onboarding = "# Onboarding\n\n- [ ] Account\n- [ ] Keys\n- [ ] Lunch with the team\n"
  createPage(world, collective, { title: "Onboarding", parent: first.id, author, content: onboarding })
  return collective
}

const folderOf = ({ name }: Collective): string => `Collectives/${name}`

/** The texts lie in the files of whoever asks; what is there already stays. */
export async function ensureFiles(call: Call, collective: Collective): Promise<void> {
  const home = `/remote.php/dav/files/${encodeURIComponent(call.user?.id ?? "")}`
  const send = (method: string, path: string, body = "") =>
    filesArea({
      ...call,
      method,
      path: `${home}/${path.split("/").map(encodeURIComponent).join("/")}`,
      query: new URLSearchParams(),
      headers: new Headers({ "if-none-match": "*" }),
      body: new TextEncoder().encode(body),
    })
  await send("MKCOL", "Collectives")
  await send("MKCOL", folderOf(collective))
  for (const { fileName, content } of collective.pages) {
    await send("PUT", `${folderOf(collective)}/${decode(fileName)}`, content)
  }
}

export function showCollective(collective: Collective) {
  const { id, name, emoji, trashedAt } = collective
  return {
    id,
    slug: name.toLowerCase().replaceAll(" ", "-"),
    circleId: `circle${id}`,
    emoji: emoji === "" ? null : emoji,
    trashTimestamp: trashedAt ?? null,
    pageMode: 0,
    name,
    level: 9,
    editPermissionLevel: 1,
    sharePermissionLevel: 1,
    canEdit: true,
    canShare: true,
    shareToken: null,
    isPageShare: false,
    sharePageId: 0,
    shareEditable: false,
    userPageOrder: 0,
    userShowMembers: true,
    userShowRecentPages: true,
    userFavoritePages: [],
    canLeave: true,
  }
}

export function showPage(collective: Collective, page: Page) {
  const { id, title, emoji, parentId, author, timestamp, content, fileName, filePath, tags, trashedAt } = page
  return {
    id,
    slug: title.toLowerCase().replaceAll(" ", "-"),
    lastUserId: author,
    lastUserDisplayName: author,
    emoji: emoji === "" ? null : emoji,
    subpageOrder: [],
    isFullWidth: false,
    tags: [...tags],
    trashTimestamp: trashedAt ?? null,
    title,
    timestamp,
    size: Buffer.byteLength(content),
    fileName,
    filePath,
    filePathString: filePath,
    collectivePath: folderOf(collective),
    collectiveNameWithEmoji: [collective.emoji, collective.name].filter((part) => part !== "").join(" "),
    parentId,
    shareToken: null,
    linkedPageIds: [],
  }
}
