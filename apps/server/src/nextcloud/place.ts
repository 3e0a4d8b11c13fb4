// Where the Nextcloud server keeps things and listens: the usual settings under the names that this command has for them.

import { homedir } from "node:os"
import { join } from "node:path"
import type { Arguments } from "../arguments.ts"
import type { Call } from "../command.ts"
import type { Settings } from "../config.ts"
import { readSettings } from "../config.ts"
import type { NextcloudConfig, NextcloudSettings } from "./settings.ts"
import { toNextcloudSettings } from "./settings.ts"

export interface Plan {
  readonly nextcloud: NextcloudSettings
  readonly settings: Settings
  /** Set where HTTP is served; 0 is any that is free. */
  readonly port: number | undefined
}

export async function readPlan({ io, given }: Call): Promise<Plan> {
  const settings = await readSettings({ ...io, env: withOurNames(io.env) }, renamed(given), {
    database: join(dataHome(io.env), "nextcloud.db"),
  })
  const [host, tools] = [given.one("host"), given.one("tools")]
  const nextcloud = toNextcloudSettings({
    file: settings.nextcloud as NextcloudConfig,
    env: io.env,
    flags: {
      ...(host === undefined ? {} : { host }),
      ...(tools === undefined ? {} : { tools }),
      ...(given.has("read-only") ? { readOnly: true } : {}),
    },
  })
  return { nextcloud, settings, port: given.has("http") ? settings.pages.port : undefined }
}

/** Names of the environment that people know from elsewhere. */
function withOurNames(env: Call["io"]["env"]): Call["io"]["env"] {
  return {
    ...env,
    HOLDPOINT_DATABASE: env.HOLDPOINT_DATABASE || env.TOKEN_STORAGE_DB,
    HOLDPOINT_KEYS: env.HOLDPOINT_KEYS || env.TOKEN_ENCRYPTION_KEY,
    HOLDPOINT_PUBLIC_URL: env.HOLDPOINT_PUBLIC_URL || env.NEXTCLOUD_MCP_SERVER_URL?.replace(/\/mcp\/?$/, ""),
  }
}

/** Clients start it in whatever folder they are in. */
function dataHome(env: Call["io"]["env"]): string {
  return join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "holdpoint")
}

/** --host is Nextcloud's here; where it listens is said by --listen and --http. */
function renamed(given: Arguments): Arguments {
  const nameOf = (name: string): string => ({ host: "listen", port: "http" })[name] ?? name
  return {
    ...given,
    has: (name) => given.has(nameOf(name)),
    one: (name) => given.one(nameOf(name)),
    all: (name) => given.all(nameOf(name)),
  }
}
