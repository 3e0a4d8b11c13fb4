// Icons that are files beside the script. Clients cannot read these files, so the list of tools has their content.

import { lstatSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import type { DescribedTool } from "./metadata.ts"
import { type FileProblem, trustedPath } from "./trust.ts"

const iconTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
}

/** The largest file, in bytes: it is part of every list of tools. */
const maxBytes = 32 * 1_024

/** Replaces the paths of a tool's icons with data URIs, or returns why an icon cannot be used. */
export function withOwnIcons(
  tool: DescribedTool,
  { root, folder }: { readonly root: string; readonly folder: string },
): { readonly tool: DescribedTool } | { readonly problem: FileProblem } {
  if (tool.icons === undefined) return { tool }
  const icons: Readonly<Record<string, unknown>>[] = []
  for (const icon of tool.icons) {
    const { src } = icon
    if (typeof src !== "string" || /^(?:https?|data):/i.test(src)) {
      icons.push(icon)
      continue
    }
    const mimeType = iconTypes[extname(src).toLowerCase()]
    if (mimeType === undefined) return { problem: { message: `“${src.slice(0, 80)}” is not a supported image file.` } }
    const file = trustedPath(join(folder, src), root)
    if ("problem" in file) return { problem: { ...file.problem, message: `“${src}” ${file.problem.message}` } }
    const { size } = lstatSync(file.realPath)
    if (size > maxBytes) return { problem: { message: `“${src}” has ${size} bytes; at most ${maxBytes} are allowed.` } }
    icons.push({ mimeType, ...icon, src: `data:${mimeType};base64,${readFileSync(file.realPath).toString("base64")}` })
  }
  return { tool: { ...tool, icons } }
}
