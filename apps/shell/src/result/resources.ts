// The files that a script attaches to its result. A file is read only if its real path, after symbolic links, is in an
// allowed folder.

import { isUtf8 } from "node:buffer"
import { constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { open, realpath } from "node:fs/promises"
import { basename, dirname, extname, isAbsolute, join, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { ContentBlock } from "@modelcontextprotocol/server"
import { isObject } from "../json.ts"
import type { WrittenFile } from "../script-end.ts"
import type { ShellTool } from "../tool.ts"
import { parseJson, toText } from "./output.ts"

export interface EmbedOptions {
  /** Folders whose files may be attached, besides those of the tools: the folder of the call, and the roots. */
  readonly folders: readonly string[]
  /** How many bytes the attached files may have together. */
  readonly mostBytes: number
}

interface RequestedFile {
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
  list: WrittenFile | undefined,
  { folders, mostBytes }: EmbedOptions,
): Promise<readonly ContentBlock[]> {
  const requestedFiles = readList(list)
  if (requestedFiles.length === 0) return []
  const allowedFolders = await realFolders([tool.root, join(dirname(tool.root), "resources"), ...folders])
  const blocks: ContentBlock[] = []
  let bytesLeft = mostBytes
  for (const requestedFile of requestedFiles.slice(0, mostFiles)) {
    const fileOrProblem = await readRequestedFile(tool, requestedFile, { allowedFolders, bytesLeft })
    if (typeof fileOrProblem === "string")
      blocks.push({ type: "text", text: `${basename(requestedFile.path)} was not attached: ${fileOrProblem}` })
    else {
      bytesLeft -= fileOrProblem.bytes.length
      blocks.push(toBlock(requestedFile, fileOrProblem))
    }
  }
  const omittedCount = requestedFiles.length - mostFiles
  if (omittedCount > 0)
    blocks.push({ type: "text", text: `${omittedCount} more files were not attached: at most ${mostFiles} are.` })
  return blocks
}

/** Reads a JSON array, a JSON value on each line, or `path TAB mimeType TAB uri` on each line. */
function readList(file: WrittenFile | undefined): readonly RequestedFile[] {
  if (file === undefined || "problem" in file) return []
  const { text } = toText(file.content)
  const json = parseJson(text)?.value
  if (json !== undefined) return (Array.isArray(json) ? json : [json]).flatMap(toRequestedFiles)
  return text.split(/\r?\n/).flatMap((line) => {
    const value = parseJson(line)?.value
    if (isObject(value) || typeof value === "string") return toRequestedFiles(value)
    const [path = "", mimeType, uri] = line.split("\t")
    return toRequestedFiles({ path, mimeType, uri })
  })
}

function toRequestedFiles(value: unknown): readonly RequestedFile[] {
  if (typeof value === "string") return toRequestedFiles({ path: value })
  if (!isObject(value) || typeof value.path !== "string" || value.path === "") return []
  return [{ path: value.path, mimeType: textOf(value.mimeType), uri: textOf(value.uri) }]
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

interface FileContent {
  readonly path: string
  readonly bytes: Buffer
}

/** The bytes of the file, or the reason why they are not attached. */
async function readRequestedFile(
  tool: ShellTool,
  { path }: RequestedFile,
  { allowedFolders, bytesLeft }: { readonly allowedFolders: readonly string[]; readonly bytesLeft: number },
): Promise<FileContent | string> {
  const realFile = await findFile(tool, path)
  if (realFile === undefined) return "the file does not exist."
  if (!allowedFolders.some((folder) => realFile === folder || realFile.startsWith(folder === sep ? sep : folder + sep)))
    return "it is outside of the folders whose files may be attached. Write it to the folder of MCP_TOOL_RESOURCES_FILE, to the folder of the tools, or to a root."
  try {
    // O_NONBLOCK, because a FIFO would block the call until a program writes into it.
    await using file = await open(realFile, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    return await readBytes(file, realFile, bytesLeft)
  } catch (error) {
    return `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`
  }
}

async function readBytes(file: FileHandle, path: string, bytesLeft: number): Promise<FileContent | string> {
  const stats = await file.stat()
  if (!stats.isFile()) return "it is not a regular file."
  if (stats.size > bytesLeft) return `it has ${stats.size} bytes, and ${bytesLeft} more can be attached to this result.`
  const bytes = Buffer.alloc(stats.size)
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
  const candidatePaths = isAbsolute(path) ? [path] : [join(dirname(tool.root), path), join(tool.folder, path)]
  return (await realFolders(candidatePaths))[0]
}

async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const folders = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return folders.filter((path) => path !== undefined)
}

function toBlock({ mimeType, uri }: RequestedFile, { path, bytes }: FileContent): ContentBlock {
  const isText = isUtf8(bytes) && !bytes.includes(0)
  const type =
    mimeType ?? mimeTypes[extname(path).toLowerCase()] ?? (isText ? "text/plain" : "application/octet-stream")
  const reference = { uri: uri ?? pathToFileURL(path).href, mimeType: type }
  if (isText && isTextual(type)) return { type: "resource", resource: { ...reference, text: bytes.toString("utf8") } }
  return { type: "resource", resource: { ...reference, blob: bytes.toString("base64") } }
}

const isTextual = (type: string): boolean =>
  /^text\/|json|xml|yaml|csv|javascript|markdown|html|css|shellscript|x-sh\b|sql|toml/i.test(type)

const mimeTypes: Readonly<Record<string, string>> = {
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
