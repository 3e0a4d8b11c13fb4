// The files' part of the stand-in: which address goes where. What is below a folder of files is a table of methods.

import type { Area, Call, Reply } from "../area.ts"
import { davError } from "../replies.ts"
import * as answer from "./answers.ts"
import { commentsReply } from "./comments.ts"
import { extrasArea, openLink } from "./extras.ts"
import { lock, unlock } from "./locking.ts"
import { copy, move } from "./moving.ts"
import { decodePath } from "./names.ts"
import { othersHome } from "./others-home.ts"
import { type Method, type Place, placeOf, rootOf } from "./place.ts"
import { propfind, proppatch } from "./propfind.ts"
import { options, read } from "./reading.ts"
import { filterFiles, search } from "./searching.ts"
import { viewOfShare } from "./store.ts"
import { tagsOfFileReply, tagsReply } from "./tags.ts"
import { trashReply } from "./trashbin.ts"
import { uploadsReply } from "./uploads.ts"
import { versionsReply } from "./versions.ts"
import { mkcol, put, remove } from "./writing.ts"

const methods: Readonly<Record<string, Method>> = {
  OPTIONS: options,
  GET: read,
  HEAD: read,
  PUT: put,
  DELETE: remove,
  MKCOL: mkcol,
  PROPFIND: propfind,
  PROPPATCH: proppatch,
  MOVE: move,
  COPY: copy,
  LOCK: lock,
  UNLOCK: unlock,
  REPORT: filterFiles,
}

export const filesArea: Area = (call) => {
  const [, script, encoded = "/"] =
    /^\/(remote\.php\/dav|remote\.php\/webdav|public\.php\/dav)(\/.*)?$/.exec(call.path) ?? []
  if (script === undefined || call.path === "/remote.php/dav/bulk") return extrasArea(call)
  const path = decodePath(encoded)
  if (path === undefined) return answer.badRequest("The address is not well-formed.")
  // The web server in front does not pass these on.
  if (path.includes("\n")) return { status: 404, headers: { "content-type": "text/html" }, body: notPassedOn }
  if (script === "public.php/dav") return publicReply(call, path)
  if (call.user === undefined) return undefined
  return script === "remote.php/webdav" ? legacyReply(call, call.user.id, path) : davReply(call, call.user.id, path)
}

const notPassedOn = "<html>\n<head><title>404 Not Found</title></head>\n<body>\n</body>\n</html>\n"

type Service = (call: Call, user: string, path: string) => Reply

/** Below a folder of one's own name. */
const services: Readonly<Record<string, Service>> = {
  files: (call, user, path) => inFiles(placeOf(call, user, path)),
  uploads: uploadsReply,
  trashbin: trashReply,
  versions: versionsReply,
}

/** What is there only with its app. */
const apps: Readonly<Record<string, string>> = {
  trashbin: "files_trashbin",
  versions: "files_versions",
  comments: "comments",
  systemtags: "systemtags",
  "systemtags-relations": "systemtags",
}

function davReply(call: Call, user: string, path: string): Reply | undefined {
  if (call.method === "SEARCH") return search(call, user)
  const [, top = "", next = "", rest = "/"] = /^\/([^/]+)(?:\/([^/]+))?(\/.*)?$/.exec(path) ?? []
  const app = apps[top]
  if (app !== undefined && !call.world.isInstalled(app)) return answer.notFound("")
  const service = services[top]
  if (service !== undefined && next === user) return service(call, user, rest)
  if (top === "files" && next !== "") return othersHome(call, next, rest)
  if (service !== undefined) return answer.forbidden()
  if (top === "systemtags") return tagsReply(call, next === "" ? "/" : `/${next}`)
  if (next === "files" && top === "comments") return commentsReply(call, user, rest)
  if (next === "files" && top === "systemtags-relations") return tagsOfFileReply(call, user, rest)
  return undefined
}

function inFiles(place: Place): Reply {
  const method = methods[place.call.method]
  return method === undefined ? answer.notImplemented(place.call.method) : method(place)
}

const olderHeader = "1, 3, extended-mkcol, nextcloud-checksum-update, 2"

/** The address that clients used before there were several homes. */
function legacyReply(call: Call, user: string, path: string): Reply {
  const base = `${rootOf(call)}/remote.php/webdav`
  return inFiles({ ...placeOf(call, user, path), base, dav: olderHeader })
}

/** What a public link gives: nobody is signed in, the token says what may be seen. */
function publicReply(call: Call, path: string): Reply {
  const [, token = "", below = "/"] = /^\/files\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const share = openLink(call, token)
  if (share === undefined) return answer.notFound("")
  if (share === "closed") return davError(401, "Sabre\\DAV\\Exception\\NotAuthenticated", "")
  const root = rootOf(call)
  const base = `${root}/public.php/dav/files/${token}`
  const { world } = call
  return inFiles({ call, world, user: "", view: viewOfShare(share), base, root, path: below, dav: olderHeader })
}
