// A real Chromium for the test run, out of npm: unpacked once for each user, started with web security as people have
// it. HOLDPOINT_CHROME names another one; where npm's does not run, an installed Chrome is taken.

import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Browser, LaunchOptions } from "playwright-core"
import { chromium } from "playwright-core"

let running: Promise<Browser> | undefined

/** One for all files of a worker: each has contexts of its own, which it closes. It ends with the worker. */
export function openBrowser(): Promise<Browser> {
  running ??= chromium.launch({ ...whichBrowser(), args })
  return running
}

// Containers have no user namespaces, little shared memory, and often no other user than root.
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"]

function whichBrowser(): LaunchOptions {
  const named = process.env.HOLDPOINT_CHROME
  if (named !== undefined) return { executablePath: named }
  if (process.platform !== "linux" || process.arch !== "x64") return { channel: "chrome" }
  const home = unpacked()
  const libraries = [process.env.LD_LIBRARY_PATH, join(home, "al2023", "lib")].filter(Boolean).join(":")
  return {
    executablePath: join(home, "chromium"),
    env: {
      ...process.env,
      HOME: process.env.HOME ?? home,
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_FILE: join(home, "fonts.conf"),
    },
  }
}

/** The folder with the browser, its libraries and its fonts. Made under another name and moved, for others may race. */
function unpacked(): string {
  const root = fileURLToPath(new URL("..", import.meta.url))
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const user = process.getuid?.()
  const home = join(tmpdir(), `holdpoint-chromium-${devDependencies["@sparticuz/chromium"]}-${user}`)
  if (!existsSync(home)) unpack(root, home)
  if (statSync(home).uid !== user) throw new Error(`${home} belongs to somebody else. Remove it, or set TMPDIR.`)
  return home
}

function unpack(root: string, home: string): void {
  const scratch = mkdtempSync(`${home}-`)
  // The package unpacks its libraries too when it believes to be in the cloud.
  const env = { ...process.env, HOME: scratch, TMPDIR: scratch, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" }
  const script = 'const { default: it } = await import("@sparticuz/chromium"); await it.executablePath()'
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: root,
    env,
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(`Chromium could not be unpacked:\n${stderr}`)
  writeFileSync(join(scratch, "fonts.conf"), fontsAt(home))
  try {
    renameSync(scratch, home)
  } catch (error) {
    // Somebody else was faster.
    rmSync(scratch, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

/** The package's font before the machine's, so that pictures look alike everywhere. */
function fontsAt(home: string): string {
  const ours = ["sans-serif", "system-ui", "ui-sans-serif"]
    .map(
      (name) => `<alias binding="strong"><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`,
    )
    .join("\n")
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${join(home, "fonts")}</dir>
<dir>/usr/share/fonts</dir>
<cachedir>${join(home, "font-cache")}</cachedir>
${ours}
</fontconfig>
`
}
