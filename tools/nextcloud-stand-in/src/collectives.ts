// The app "Collectives", from its documented API; nothing of it was recorded. The text of a page is a file of each
// member, so that it can be read and written as on a real server.

import type { Area, Call, Reply } from "./area.ts"
import { ensureFiles, readText, removeFile, withFiles } from "./collective-files.ts"
import {
  ancestorsOf,
  type Collective,
  collectivesOf,
  createPage,
  freeTitle,
  livePages,
  type Page,
  showCollective,
  showPage,
  showTrashed,
} from "./collective-store.ts"
import { ocs, ocsFailure } from "./replies.ts"
import { createArea, fieldsOf, type Groups, inOcs, jsonOf } from "./routes.ts"

const toNotFound = (call: Call, kind: string): Reply => ocsFailure(call, 404, `${kind} not found`)

const userOf = ({ user }: Call): string => user?.id ?? ""

const ownCollectives = (call: Call): readonly Collective[] =>
  collectivesOf(call.world).filter(({ members }) => members.includes(userOf(call)))

type InCollective = (call: Call, collective: Collective, groups: Groups) => Reply | Promise<Reply>

/** Passes the caller's collective to `answer`. Replies with 404 when it does not exist or is in the trash. */
const withCollective =
  (answer: InCollective) =>
  (call: Call, groups: Groups): Reply | Promise<Reply> => {
    const collective = ownCollectives(call).find(
      ({ id, trashedAt }) => id === Number(groups.id) && trashedAt === undefined,
    )
    return collective === undefined ? toNotFound(call, "Collective") : answer(call, collective, groups)
  }

/** Like `withCollective`, for the owner of the collective only: other members get 403. */
const asAdmin = (answer: InCollective) =>
  withCollective((call, collective, groups) => {
    if (collective.members[0] === userOf(call)) return answer(call, collective, groups)
    return ocsFailure(call, 403, `Member ${userOf(call)} not allowed to update collective: ${collective.id}`)
  })

type OnPage = (call: Call, collective: Collective, page: Page) => Reply | Promise<Reply>

const onPage = (answer: OnPage) =>
  withCollective((call, collective, groups) => {
    const page = livePages(collective).find(({ id }) => id === Number(groups.page))
    return page === undefined ? toNotFound(call, "Page") : answer(call, collective, page)
  })

const seconds = ({ world }: Call): number => Math.floor(world.now() / 1000)

const toPage = (call: Call, collective: Collective, page: Page): Reply =>
  ocs(call, { page: showPage(collective, page) })

async function listPages(call: Call, collective: Collective): Promise<Reply> {
  await ensureFiles(call, collective)
  return ocs(call, { pages: livePages(collective).map((page) => showPage(collective, page)) })
}

async function getPage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  await ensureFiles(call, collective)
  return toPage(call, collective, page)
}

async function touchPage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  await ensureFiles(call, collective)
  page.content = await readText(call, collective, page)
  page.author = userOf(call)
  page.timestamp = seconds(call)
  return toPage(call, collective, page)
}

async function addPage(call: Call, collective: Collective, parent: Page): Promise<Reply> {
  const title = fieldsOf(call).get("title") ?? ""
  const draft = { title, parent: parent.id, author: userOf(call) }
  const page = await withFiles(call, collective, () => createPage(call.world, collective, draft))
  return getPage(call, collective, page)
}

async function changePage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  const fields = fieldsOf(call)
  const parentId = Number(fields.get("parentId") || page.parentId)
  const parent = livePages(collective).find(({ id }) => id === parentId)
  const refusal = findMoveRefusal(collective, page, parent)
  if (refusal !== undefined) return ocsFailure(call, 403, refusal)
  if (parent === undefined) return toNotFound(call, "Page")
  const title = fields.get("title") || page.title
  if (fields.get("copy") === "true") return copyPage(call, collective, { page, parent, title })
  await withFiles(call, collective, () => {
    const isUnmoved = parentId === page.parentId && title === page.title
    if (!isUnmoved) page.title = freeTitle(collective, parentId, title)
    page.parentId = parentId
    parent.isFolder = true
  })
  page.author = userOf(call)
  return toPage(call, collective, page)
}

function findMoveRefusal(collective: Collective, page: Page, parent: Page | undefined): string | undefined {
  if (page.parentId === 0) return "Not allowed to move or copy landing page"
  if (parent === page) return "Not allowed to move or copy a page to itself"
  const isBelow = parent !== undefined && ancestorsOf(collective, parent).includes(page)
  return isBelow ? "Not allowed to move or copy a page to a subpage of itself" : undefined
}

interface Copying {
  readonly page: Page
  readonly parent: Page
  readonly title: string
}

async function copyPage(call: Call, collective: Collective, { page, parent, title }: Copying): Promise<Reply> {
  const content = await readText(call, collective, page)
  const draft = { title, parent: parent.id, author: userOf(call), content }
  const copy = await withFiles(call, collective, () => createPage(call.world, collective, draft))
  copy.emoji = page.emoji
  for (const tag of page.tags) copy.tags.add(tag)
  return getPage(call, collective, copy)
}

/** Null changes nothing, although the reply contains it; only an empty text removes the emoji. */
function setPageEmoji(call: Call, collective: Collective, page: Page): Reply {
  const emoji = emojiIn(call)
  if (emoji !== null) page.emoji = emoji
  return ocs(call, { page: { ...showPage(collective, page), emoji } })
}

function setEmoji(call: Call, collective: Collective): Reply {
  const emoji = emojiIn(call)
  if (emoji !== null) collective.emoji = emoji === "" ? null : emoji
  return ocs(call, { collective: showCollective(collective) })
}

function emojiIn(call: Call): string | null {
  const { emoji } = jsonOf(call) as { readonly emoji?: string | null }
  return emoji ?? null
}

async function trashPage(call: Call, collective: Collective, page: Page): Promise<Reply> {
  // The landing page, whose text is in the collective's own folder, cannot be deleted.
  if (page.parentId === 0) return toNotFound(call, "Page")
  const deletedPage = showPage(collective, page)
  for (const livePage of livePages(collective))
    if (livePage === page || ancestorsOf(collective, livePage).includes(page))
      await removeFile(call, collective, livePage)
  page.trashedAt = seconds(call)
  return ocs(call, { page: { ...deletedPage, trashTimestamp: page.trashedAt } })
}

const trashedIn = ({ pages }: Collective): readonly Page[] => pages.filter(({ trashedAt }) => trashedAt !== undefined)

const restorePage = withCollective((call, collective, groups) => {
  const page = trashedIn(collective).find(({ id }) => id === Number(groups.page))
  if (page === undefined) return toNotFound(call, "Page")
  page.title = freeTitle(collective, page.parentId, page.title)
  delete page.trashedAt
  return getPage(call, collective, page)
})

function searchPages(call: Call, collective: Collective): Reply {
  const term = (call.query.get("searchString") ?? "").toLowerCase()
  const matches = livePages(collective).filter(({ title, content }) =>
    `${title}\n${content}`.toLowerCase().includes(term),
  )
  return ocs(call, { pages: matches.map((page) => showPage(collective, page)) })
}

function createCollective(call: Call): Reply {
  const fields = fieldsOf(call)
  const name = fields.get("name") ?? ""
  if (name === "") return ocsFailure(call, 400, "Empty collective name is not allowed")
  const isTaken = ownCollectives(call).some((one) => one.name === name)
  if (isTaken) return ocsFailure(call, 400, "Collective already exists.")
  const author = userOf(call)
  const emoji = fields.get("emoji") || null
  const collective: Collective = { id: call.world.nextId(), name, emoji, members: [author], pages: [], tags: [] }
  createPage(call.world, collective, { title: "Landing page", parent: 0, author })
  collectivesOf(call.world).push(collective)
  return ocs(call, { collective: showCollective(collective), info: "" })
}

function trash(call: Call, collective: Collective): Reply {
  collective.trashedAt = seconds(call)
  return ocs(call, { collective: showCollective(collective) })
}

/** A route that applies a change to a collective in the trash and replies with the collective. */
const withTrashedCollective =
  (change: (call: Call, collective: Collective) => void) =>
  (call: Call, { id }: Groups): Reply => {
    const collective = ownCollectives(call).find((one) => one.id === Number(id) && one.trashedAt !== undefined)
    if (collective === undefined) return toNotFound(call, "Collective")
    change(call, collective)
    return ocs(call, { collective: showCollective(collective) })
  }

const restore = withTrashedCollective((_, collective) => delete collective.trashedAt)

const remove = withTrashedCollective(({ world }, collective) => {
  const all = collectivesOf(world)
  all.splice(all.indexOf(collective), 1)
})

function createTag(call: Call, collective: Collective): Reply {
  const fields = fieldsOf(call)
  const name = fields.get("name") ?? ""
  const isTaken = collective.tags.some((one) => one.name === name)
  if (isTaken) return ocsFailure(call, 400, `Tag already exists for collective: ${name}`)
  const tag = { id: call.world.nextId(), collectiveId: collective.id, name, color: fields.get("color") ?? "" }
  collective.tags.push(tag)
  return ocs(call, { tag })
}

const tagPage = (isOn: boolean) =>
  withCollective((call, collective, groups) => {
    const page = livePages(collective).find(({ id }) => id === Number(groups.page))
    const tag = collective.tags.find(({ id }) => id === Number(groups.tag))
    if (page === undefined || tag === undefined) return toNotFound(call, page === undefined ? "Page" : "Tag")
    if (isOn) page.tags.add(tag.id)
    else page.tags.delete(tag.id)
    return toPage(call, collective, page)
  })

const listTrashed: InCollective = (call, collective) =>
  ocs(call, { pages: trashedIn(collective).map((one) => showTrashed(collective, one)) })

const base = "/apps/collectives/api/v1.0/collectives"
const collectivePath = `${base}/(?<id>\\d+)`
const pagePath = `${collectivePath}/pages/(?<page>\\d+)`
const trashedPagePath = `${collectivePath}/pages/trash/(?<page>\\d+)`
const pageTagPath = `${pagePath}/tags/(?<tag>\\d+)`

const trashedCollectives = (call: Call): readonly Collective[] =>
  ownCollectives(call).filter(({ trashedAt }) => trashedAt !== undefined)
const currentCollectives = (call: Call): readonly Collective[] =>
  ownCollectives(call).filter(({ trashedAt }) => trashedAt === undefined)

export const collectivesArea: Area = createArea([
  ["GET", inOcs(base), (call) => ocs(call, { collectives: currentCollectives(call).map(showCollective) })],
  ["POST", inOcs(base), createCollective],
  ["GET", inOcs(`${base}/trash`), (call) => ocs(call, { collectives: trashedCollectives(call).map(showCollective) })],
  ["PATCH", inOcs(`${base}/trash/(?<id>\\d+)`), restore],
  ["DELETE", inOcs(`${base}/trash/(?<id>\\d+)`), remove],
  ["PUT", inOcs(collectivePath), asAdmin(setEmoji)],
  ["DELETE", inOcs(collectivePath), asAdmin(trash)],
  ["GET", inOcs(`${collectivePath}/pages`), withCollective(listPages)],
  ["GET", inOcs(`${collectivePath}/search`), withCollective(searchPages)],
  ["GET", inOcs(`${collectivePath}/tags`), withCollective((call, { tags }) => ocs(call, { tags }))],
  ["POST", inOcs(`${collectivePath}/tags`), withCollective(createTag)],
  ["GET", inOcs(`${collectivePath}/pages/trash`), withCollective(listTrashed)],
  ["PATCH", inOcs(trashedPagePath), restorePage],
  ["GET", inOcs(pagePath), onPage(getPage)],
  ["GET", inOcs(`${pagePath}/touch`), onPage(touchPage)],
  ["POST", inOcs(pagePath), onPage(addPage)],
  ["PUT", inOcs(pagePath), onPage(changePage)],
  ["DELETE", inOcs(pagePath), onPage(trashPage)],
  ["PUT", inOcs(`${pagePath}/emoji`), onPage(setPageEmoji)],
  ["PUT", inOcs(pageTagPath), tagPage(true)],
  ["DELETE", inOcs(pageTagPath), tagPage(false)],
])
