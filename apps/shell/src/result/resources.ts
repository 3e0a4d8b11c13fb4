// The files that a script attaches to its result. Only files of folders that the owner or the client opened are read,
// wherever a symbolic link leads.

import { isUtf8 } from "node:buffer"
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { open, realpath } from "node:fs/promises"
import { basename, dirname, extname, isAbsolute, join, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { ContentBlock } from "@modelcontextprotocol/server"
import type { ShellTool } from "../tool.ts"
import { isObject, parseJson, toText } from "./output.ts"

export interface EmbedOptions {
  /** Folders whose files may be attached, besides those of the tools: the folder of the call, and the roots. */
  readonly folders: readonly string[]
  /** How many bytes the attached files may have together. */
  readonly mostBytes: number
}

interface Wanted {
  readonly path: string
  readonly mimeType: string | undefined
  readonly uri: string | undefined
}

const mostFiles = 100

/**
 * Reads MCP_TOOL_RESOURCES_FILE and the files that it lists. A file that cannot be attached becomes a text that says
 * so.
 */
export async function embedResources(
  tool: ShellTool,
  list: Buffer | undefined,
  { folders, mostBytes }: EmbedOptions,
): Promise<readonly ContentBlock[]> {
  const wanted = readList(list)
  if (wanted.length === 0) return []
  const allowed = await realFolders([tool.root, join(dirname(tool.root), "resources"), ...folders])
  const blocks: ContentBlock[] = []
  let left = mostBytes
  for (const one of wanted.slice(0, mostFiles)) {
    const read = await readWanted(tool, one, { allowed, left })
    if (typeof read === "string") blocks.push({ type: "text", text: `${basename(one.path)} was not attached: ${read}` })
    else {
      left -= read.bytes.length
      blocks.push(toBlock(one, read))
    }
  }
  const omitted = wanted.length - mostFiles
  if (omitted > 0)
    blocks.push({ type: "text", text: `${omitted} more files were not attached: at most ${mostFiles} are.` })
  return blocks
}

/** Reads a JSON array, a JSON value on each line, or `path TAB mimeType TAB uri` on each line. */
function readList(bytes: Buffer | undefined): readonly Wanted[] {
  if (bytes === undefined) return []
  const { text } = toText(bytes)
  const whole = parseJson(text)?.value
  if (whole !== undefined) return (Array.isArray(whole) ? whole : [whole]).flatMap(toWanted)
  return text.split(/\r?\n/).flatMap((line) => {
    const value = parseJson(line)?.value
    if (isObject(value) || typeof value === "string") return toWanted(value)
    const [path = "", mimeType, uri] = line.split("\t")
    return toWanted({ path, mimeType, uri })
  })
}

function toWanted(value: unknown): readonly Wanted[] {
  if (typeof value === "string") return toWanted({ path: value })
  if (!isObject(value) || typeof value.path !== "string" || value.path === "") return []
  return [{ path: value.path, mimeType: textOf(value.mimeType), uri: textOf(value.uri) }]
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

interface Read {
  readonly path: string
  readonly bytes: Buffer
}

/** The bytes of the file, or the reason why they are not attached. */
async function readWanted(
  tool: ShellTool,
  { path }: Wanted,
  { allowed, left }: { readonly allowed: readonly string[]; readonly left: number },
): Promise<Read | string> {
  const real = await findFile(tool, path)
  if (real === undefined) return "the file does not exist."
  if (!allowed.some((folder) => real === folder || real.startsWith(folder === sep ? sep : folder + sep)))
    return "it is outside of the folders whose files may be attached. Write it to the folder of MCP_TOOL_RESOURCES_FILE, to the folder of the tools, or to a root."
  try {
    // O_NONBLOCK, because a FIFO would block the call until a program writes into it.
    await using file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    return await readBytes(file, real, left)
  } catch (error) {
    return `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`
  }
}

async function readBytes(file: FileHandle, path: string, left: number): Promise<Read | string> {
  const about = await file.stat()
  if (!about.isFile()) return "it is not a regular file."
  if (about.size > left) return `it has ${about.size} bytes, and ${left} more can be attached to this result.`
  const bytes = Buffer.alloc(about.size)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return { path, bytes: bytes.subarray(0, length) }
}

/**
 * Resolves a relative path against the project, which contains the folder of the tools, or against the tool's folder.
 */
async function findFile(tool: ShellTool, path: string): Promise<string | undefined> {
  if (path.includes("\0")) return undefined
  const places = isAbsolute(path) ? [path] : [join(dirname(tool.root), path), join(tool.folder, path)]
  return (await realFolders(places))[0]
}

async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const folders = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return folders.filter((path) => path !== undefined)
}

function toBlock({ mimeType, uri }: Wanted, { path, bytes }: Read): ContentBlock {
  const isText = isUtf8(bytes) && !bytes.includes(0)
  const type = mimeType ?? types[extname(path).toLowerCase()] ?? (isText ? "text/plain" : "application/octet-stream")
  const about = { uri: uri ?? pathToFileURL(path).href, mimeType: type }
  if (isText && isTextual(type)) return { type: "resource", resource: { ...about, text: bytes.toString("utf8") } }
  return { type: "resource", resource: { ...about, blob: bytes.toString("base64") } }
}

const isTextual = (type: string): boolean =>
  /^text\/|json|xml|yaml|csv|javascript|markdown|html|css|shellscript|x-sh\b|sql|toml/i.test(type)

const types: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".htm": "text/html",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".md": "text/markdown",
  ".mp3": "audio/mpeg",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wav": "audio/wav",
  ".webp": "image/webp",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
  ".zip": "application/zip",
}
