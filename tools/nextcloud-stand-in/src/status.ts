// Public paths: status.php, .well-known, the front page; and the answer to unknown paths.

import type { Area, Call, Reply } from "./area.ts"
import { errorPage } from "./pages.ts"
import { htmlType, unknownRoute } from "./replies.ts"
import { createArea } from "./routes.ts"

const davHome = ({ url }: Call): Reply => ({
  status: 301,
  headers: { "content-type": "text/html", location: `${url}/remote.php/dav/` },
  body: "<html>\n<head><title>301 Moved Permanently</title></head>\n<body></body>\n</html>\n",
})

const status = ({ world }: Call): Reply => ({
  status: 200,
  headers: { "content-type": "application/json", "access-control-allow-origin": "*", vary: "Accept-Encoding" },
  body: JSON.stringify({
    installed: true,
    maintenance: world.switches.maintenance,
    needsDbUpgrade: false,
    version: "32.0.1.2",
    versionstring: "32.0.1",
    edition: "",
    productname: "Nextcloud",
    extendedSupport: false,
  }),
})

function frontPage({ pages, session }: Call): Reply {
  const target = session.user === undefined ? "/login" : "/apps/dashboard/"
  return { status: 302, headers: { ...htmlType, location: `${pages}${target}` } }
}

export const statusArea: Area = createArea([
  ["GET", "/status.php", status],
  ["GET", "/.well-known/caldav", davHome],
  ["PROPFIND", "/.well-known/caldav", davHome],
  ["GET", "/.well-known/carddav", davHome],
  ["PROPFIND", "/.well-known/carddav", davHome],
  ["GET", "/", frontPage],
])

/** The answer when no area has one. */
export function toNotFoundPage(call: Call): Reply {
  if (call.path.startsWith("/ocs/")) return unknownRoute(call)
  // For unknown paths below /remote.php, the real server responds with 200, as recorded.
  if (call.path.startsWith("/remote.php/")) return errorPage(200)
  return errorPage(404)
}
