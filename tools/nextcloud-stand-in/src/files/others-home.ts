// Another person's home: it exists, but its content is hidden.

import type { Call, Reply } from "../area.ts"
import * as answer from "./answers.ts"
import { collection, listing } from "./listing.ts"
import { nameOf } from "./names.ts"

export function othersHome(call: Call, owner: string, path: string): Reply {
  if (!call.world.users.has(owner)) {
    const reply = answer.notFound(`Principal with name ${owner} not found`)
    return { ...reply, headers: { ...reply.headers, dav: answer.davHeader } }
  }
  if (path === "/" && call.method === "PROPFIND") {
    return listing(call, collection(`/remote.php/dav/files/${owner}/`), () => [])
  }
  const name = nameOf(path)
  if (call.method === "PUT" || call.method === "MKCOL") {
    return answer.forbidden(`Permission denied to create file (filename ${name})`)
  }
  return path === "/" ? answer.forbidden() : answer.notFound(`File not found: ${name} in '${owner}'`)
}
