// The collectives of the stand-in: pages, tags and trash. From the documented API, not recorded.

import type { World } from "./world.ts"

export interface Page {
  readonly id: number
  title: string
  emoji: string | null
  parentId: number
  author: string
  timestamp: number
  /** The initial text, or the text when it was last read. */
  content: string
  /** Whether its text is the Readme.md of a folder: true for the landing page and for pages that ever had subpages. */
  isFolder: boolean
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
  emoji: string | null
  /** The first member is the owner. */
  readonly members: readonly string[]
  readonly pages: Page[]
  readonly tags: Tag[]
  trashedAt?: number
}

export function collectivesOf(world: World): Collective[] {
  return world.state("collectives", () => (world.seeded ? [createHandbook(world)] : []))
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
    title: freeTitle(collective, parent, title),
    emoji: null,
    parentId: parent,
    author,
    timestamp: Math.floor(world.now() / 1000),
    content,
    isFolder: parent === 0,
    tags: new Set(),
  }
  const parentPage = collective.pages.find(({ id }) => id === parent)
  if (parentPage !== undefined) parentPage.isFolder = true
  collective.pages.push(page)
  return page
}

/** A title without characters that a file name cannot contain, and with a number if the name is taken. */
export function freeTitle(collective: Collective, parent: number, title: string): string {
  const safeTitle = title.replaceAll("/", "-").replace(/[*|\\:"<>?]/g, "")
  const requestedTitle = safeTitle.replace(/^[ .]+|[ .]+$/g, "") || "New Page"
  const usedTitles = new Set(livePages(collective).flatMap((one) => (one.parentId === parent ? [one.title] : [])))
  let candidate = requestedTitle
  for (let count = 2; usedTitles.has(candidate); count++) candidate = `${requestedTitle} (${count})`
  return candidate
}

function createHandbook(world: World): Collective {
  const members = ["alice", "bob"]
  const collective: Collective = { id: world.nextId(), name: "Handbook", emoji: "📘", members, pages: [], tags: [] }
  const author = "alice"
  const start = "# Handbook\n\nHow we work. Begin with *Onboarding*.\n"
  const landingPage = createPage(world, collective, { title: "Landing page", parent: 0, author, content: start })
  const onboarding = "# Onboarding\n\n- [ ] Account\n- [ ] Keys\n- [ ] Lunch with the team\n"
  createPage(world, collective, { title: "Onboarding", parent: landingPage.id, author, content: onboarding })
  return collective
}

/** Pages that are not in the trash; subpages of a trashed page are trashed too. */
export const livePages = (collective: Collective): readonly Page[] =>
  collective.pages.filter((page) =>
    [page, ...ancestorsOf(collective, page)].every((one) => one.trashedAt === undefined),
  )

/** The parent pages, nearest first. */
export function ancestorsOf({ pages }: Collective, page: Page): readonly Page[] {
  const ancestors: Page[] = []
  for (let descendant = page; descendant.parentId !== 0; ) {
    const parent = pages.find(({ id }) => id === descendant.parentId)
    if (parent === undefined) break
    ancestors.push(parent)
    descendant = parent
  }
  return ancestors
}

export const folderOf = ({ name }: Collective): string => `Collectives/${name}`

/** The folder and the file name of a page's text, below the folder of the collective. */
export function locationOf(
  collective: Collective,
  page: Page,
): { readonly filePath: string; readonly fileName: string } {
  const folders = ancestorsOf(collective, page)
    .filter(({ parentId }) => parentId !== 0)
    .map(({ title }) => title)
    .reverse()
  if (page.parentId === 0) return { filePath: "", fileName: "Readme.md" }
  if (page.isFolder) return { filePath: [...folders, page.title].join("/"), fileName: "Readme.md" }
  return { filePath: folders.join("/"), fileName: `${page.title}.md` }
}

export const slugOf = (text: string): string => text.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "")

export function showCollective(collective: Collective) {
  const { id, name, emoji, trashedAt } = collective
  return {
    id,
    slug: slugOf(name),
    circleId: `circle${id}`,
    emoji,
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
  const { id, title, emoji, parentId, author, timestamp, content, tags } = page
  const { filePath, fileName } = locationOf(collective, page)
  return {
    id,
    slug: parentId === 0 ? null : slugOf(title),
    lastUserId: author,
    lastUserDisplayName: author,
    emoji,
    subpageOrder: [],
    isFullWidth: false,
    tags: [...tags],
    trashTimestamp: null,
    title,
    timestamp,
    size: Buffer.byteLength(content),
    fileName,
    filePath,
    filePathString: filePath.replaceAll("/", " - "),
    collectivePath: folderOf(collective),
    parentId,
    shareToken: null,
  }
}

/** A trashed page has no position in the collective. */
export function showTrashed(collective: Collective, page: Page) {
  const fileName = page.isFolder ? "Readme.md" : `${page.title}.md.d${page.trashedAt}`
  const emptyLocation = { parentId: 0, filePath: "", filePathString: "", collectivePath: null }
  return { ...showPage(collective, page), ...emptyLocation, fileName, trashTimestamp: page.trashedAt ?? null }
}
