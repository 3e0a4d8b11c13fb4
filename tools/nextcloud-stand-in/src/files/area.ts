// The routes of the files area. Requests below a files folder go through a table of methods.

import type { Area, Call, Reply } from "../area.ts"
import * as answer from "./answers.ts"
import { commentsReply } from "./comments.ts"
import { type DavRequest, davRequestOf, type Method } from "./dav-request.ts"
import { extrasArea } from "./extras.ts"
import { copy, move } from "./moving.ts"
import { decodePath } from "./names.ts"
import { othersHome } from "./others-home.ts"
import { propfind, proppatch } from "./propfind.ts"
import { options, readFile } from "./reading.ts"
import { filterFiles, search } from "./searching.ts"
import { tagsOfFileReply, tagsReply } from "./tags.ts"
import { trashReply } from "./trashbin.ts"
import { uploadsReply } from "./uploads.ts"
import { versionsReply } from "./versions.ts"
import { mkcol, putFile, remove } from "./writing.ts"

const methods: Readonly<Record<string, Method>> = {
  OPTIONS: options,
  GET: readFile,
  HEAD: readFile,
  PUT: putFile,
  DELETE: remove,
  MKCOL: mkcol,
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  MOVE: move,
  COPY: copy,
  REPORT: filterFiles,
}

export const filesArea: Area = (call) => {
  const [, encodedPath = "/"] = /^\/remote\.php\/dav(\/.*)?$/.exec(call.path) ?? []
  if (!call.path.startsWith("/remote.php/dav")) return extrasArea(call)
  const path = decodePath(encodedPath)
  if (path === undefined) return answer.badRequest("The address is not well-formed.")
  // The web server in front of Nextcloud refuses paths with a line break.
  if (path.includes("\n")) return { status: 404, headers: { "content-type": "text/html" }, body: notFoundPage }
  return call.user === undefined ? undefined : davReply(call, call.user.id, path)
}

const notFoundPage = "<html>\n<head><title>404 Not Found</title></head>\n<body>\n</body>\n</html>\n"

type Service = (call: Call, user: string, path: string) => Reply

/** Routes whose second segment is the user's own id, by their first segment: `/files/alice`. */
const services: Readonly<Record<string, Service>> = {
  files: (call, user, path) => inFiles(davRequestOf(call, user, path)),
  uploads: uploadsReply,
  trashbin: trashReply,
  versions: versionsReply,
}

/** The app that must be installed for a route, by the first segment of its path. */
const apps: Readonly<Record<string, string>> = {
  trashbin: "files_trashbin",
  versions: "files_versions",
  comments: "comments",
  systemtags: "systemtags",
  "systemtags-relations": "systemtags",
}

function davReply(call: Call, user: string, path: string): Reply | undefined {
  if (call.method === "SEARCH") return search(call, user)
  const [, top = "", secondSegment = "", innerPath = "/"] = /^\/([^/]+)(?:\/([^/]+))?(\/.*)?$/.exec(path) ?? []
  const app = apps[top]
  if (app !== undefined && !call.world.isInstalled(app)) return answer.notFound("")
  const service = services[top]
  if (service !== undefined && secondSegment === user) return service(call, user, innerPath)
  if (top === "files" && secondSegment !== "") return othersHome(call, secondSegment, innerPath)
  if (service !== undefined) return answer.forbidden()
  if (top === "systemtags") return tagsReply(call, secondSegment === "" ? "/" : `/${secondSegment}`)
  if (secondSegment === "files" && top === "comments") return commentsReply(call, user, innerPath)
  if (secondSegment === "files" && top === "systemtags-relations") return tagsOfFileReply(call, user, innerPath)
  return undefined
}

function inFiles(request: DavRequest): Reply {
  const method = methods[request.call.method]
  return method === undefined ? answer.notImplemented(request.call.method) : method(request)
}
