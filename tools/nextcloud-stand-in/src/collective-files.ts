// The texts of a collective's pages: files of the calling user, which move with the pages.

import type { Call, Reply } from "./area.ts"
import { type Collective, folderOf, livePages, locationOf, type Page } from "./collective-store.ts"
import { filesArea } from "./files/area.ts"

/** Creates the missing files for the calling user; existing ones stay. */
export async function ensureFiles(call: Call, collective: Collective): Promise<void> {
  await send(call, "MKCOL", "Collectives")
  await send(call, "MKCOL", folderOf(collective))
  for (const page of livePages(collective)) {
    await ensureFolders(call, collective, page)
    await send(call, "PUT", fileOf(collective, page), { body: page.content })
  }
}

/** Runs a change of the pages, then moves each file to where its page is now. */
export async function withFiles<T>(call: Call, collective: Collective, change: () => T): Promise<T> {
  await ensureFiles(call, collective)
  const oldPaths = new Map(livePages(collective).map((page) => [page, fileOf(collective, page)]))
  const result = change()
  for (const page of livePages(collective)) {
    const oldPath = oldPaths.get(page)
    const newPath = fileOf(collective, page)
    if (oldPath === undefined || oldPath === newPath) continue
    await ensureFolders(call, collective, page)
    await send(call, "MOVE", oldPath, {
      headers: { destination: `${call.url}${homeOf(call)}/${encodeSegments(newPath)}` },
    })
  }
  return result
}

/** The text of the page's file, which the calling user may have changed; the stored text when there is no file. */
export async function readText(call: Call, collective: Collective, page: Page): Promise<string> {
  const response = await send(call, "GET", fileOf(collective, page))
  if (response?.status !== 200) return page.content
  return typeof response.body === "string" ? response.body : new TextDecoder().decode(response.body)
}

/** Moves the page's file into the trash, and stores its text for the case that the page is restored. */
export async function removeFile(call: Call, collective: Collective, page: Page): Promise<void> {
  page.content = await readText(call, collective, page)
  await send(call, "DELETE", fileOf(collective, page))
}

async function ensureFolders(call: Call, collective: Collective, page: Page): Promise<void> {
  const { filePath } = locationOf(collective, page)
  const names = filePath.split("/").filter((name) => name !== "")
  for (const index of names.keys())
    await send(call, "MKCOL", [folderOf(collective), ...names.slice(0, index + 1)].join("/"))
}

function fileOf(collective: Collective, page: Page): string {
  const { filePath, fileName } = locationOf(collective, page)
  return [folderOf(collective), filePath, fileName].filter((part) => part !== "").join("/")
}

const homeOf = ({ user }: Call): string => `/remote.php/dav/files/${encodeURIComponent(user?.id ?? "")}`

const encodeSegments = (path: string): string => path.split("/").map(encodeURIComponent).join("/")

interface SendOptions {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function send(
  call: Call,
  method: string,
  path: string,
  { body = "", headers = {} }: SendOptions = {},
): Promise<Reply | undefined> {
  const createOnly = method === "PUT" ? { "if-none-match": "*" } : {}
  return filesArea({
    ...call,
    method,
    path: `${homeOf(call)}/${encodeSegments(path)}`,
    query: new URLSearchParams(),
    headers: new Headers({ ...createOnly, ...headers }),
    body: new TextEncoder().encode(body),
  })
}
