// The published packages, used as a user would: installed by name outside this repository, where no types are stripped
// and no other package can be borrowed.

import { execFile, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pdf } from "../apps/nextcloud/test/extract/documents.ts"
import { peersLoadedBy, peersOfEntries } from "./guards/peers.ts"
import { root } from "./guards/sources.ts"
import { serveFixture } from "./mcp-fixture/serve.ts"
import { packOnce } from "./packed.ts"
import { openRegistry, type PublishedPackage, type Registry } from "./registry.ts"
import { asking, standingIn, typed, withoutPostgres } from "./tarball-programs.ts"

/** Folders of the published packages by name. */
const folders: Readonly<Record<string, string>> = Object.fromEntries(
  ["packages", "apps", "tools"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: manifestOf(folder) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => [manifest.name, folder]),
)
const published = Object.keys(folders)

/** The most packages of others that a package installs; its own siblings are not counted. */
const mostForeign: Readonly<Record<string, number>> = {
  "@holdpoint/hub": 0,
  "@holdpoint/calls": 0,
  "@holdpoint/client": 0,
  "@holdpoint/terminal": 0,
  "@holdpoint/testing": 0,
  "@holdpoint/mcp": 2,
  "@holdpoint/agents": 30,
}

describe("the published packages", () => {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "tarball-"))
  const cache = join(home, "cache")
  const empty = join(home, "empty")
  /** The output of `npx holdpoint`. */
  let ranByName: Ran
  /** The folder where npx has installed the command, as `npm install holdpoint` would. */
  let project = ""
  const installed = (name: string): string => join(project, "node_modules", name)
  let packageSource: Registry
  let tarballs: readonly PublishedPackage[] = []

  /** The files from the tarball, without dependencies that npm may have installed below the package. */
  const packedIn = (name: string): readonly string[] => {
    const tarball = tarballs.find((one) => one.name === name)?.tarball ?? ""
    const { output } = run("tar", ["-tzf", tarball])
    return output
      .trim()
      .split("\n")
      .map((path) => path.replace(/^package\//, ""))
  }

  beforeAll(async () => {
    tarballs = (await packOnce()).packages
    packageSource = await openRegistry(tarballs)
    // npx caches installed packages by name in npm's cache, so a separate cache is used.
    mkdirSync(cache)
    const shared = spawnSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).stdout.trim()
    mkdirSync(join(shared, "_cacache"), { recursive: true })
    symlinkSync(join(shared, "_cacache"), join(cache, "_cacache"))
    mkdirSync(empty)
    ranByName = await npm("npx", ["--yes", "--prefer-offline", "holdpoint", "--version"], empty)
    const [folder = ""] = readdirSync(join(cache, "_npx"))
    project = join(cache, "_npx", folder)
    // The command does without it, and authors do not.
    const options = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    await npm("npm", ["install", ...options, "@holdpoint/testing"], project)
    const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as object
    writeFileSync(join(project, "package.json"), JSON.stringify({ ...manifest, type: "module" }))
    // A program for Node has Node's types, which declare the terminal's streams.
    for (const name of ["@types/node", "undici-types"])
      cpSync(join(root, "node_modules", name), installed(name), { recursive: true })
  }, 170_000)

  afterAll(async () => {
    await packageSource.close()
    rmSync(home, { recursive: true, force: true })
  })

  it("run as npx holdpoint in an empty folder, and leave it empty", () => {
    expect(ranByName.output.trim()).toBe(manifestOf("apps/holdpoint").version)
    expect(ranByName.status).toBe(0)
    expect(readdirSync(empty)).toEqual([])
  })

  it("install nothing else for a program that asks with SQLite, and name what Postgres needs", async () => {
    const folder = join(home, "library")
    await install(folder, ["@holdpoint/hub"])
    const lock = readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")
    const { packages } = JSON.parse(lock) as { readonly packages: object }
    expect(Object.keys(packages)).toEqual(["node_modules/@holdpoint/hub"])
    const { output } = run(process.execPath, ["--input-type=module", "--eval", withoutPostgres], folder)
    expect(output.trim().split("\n")).toEqual([
      JSON.stringify({ status: "completed", content: { sure: true } }),
      "invalid_config: This needs the package pg, which is not installed. Run: npm install pg",
    ])
  })

  it.each(Object.entries(mostForeign))("install few packages of others with %s", async (name, most) => {
    const folder = join(home, name.replace("/", "-"))
    await install(folder, [name])
    const lock = readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")
    const { packages } = JSON.parse(lock) as { readonly packages: object }
    const foreign = Object.keys(packages).filter((path) => !path.startsWith("node_modules/@holdpoint/"))
    expect(foreign.length, foreign.join("\n")).toBeLessThanOrEqual(most)
  })

  it("ask and answer, in memory and in a file", () => {
    writeFileSync(join(project, "ask.js"), asking)
    const { status, output } = run(process.execPath, ["ask.js"])
    const completed = JSON.stringify({ status: "completed", content: { sure: true } })
    expect(output.trim().split("\n")).toEqual([completed, completed, "function true false"])
    expect(status).toBe(0)
  })

  it("contain the url mode checks, which run against any server without other packages", async () => {
    const folder = join(home, "checks")
    await install(folder, ["@holdpoint/url-mode-conformance"])
    const lock = readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")
    const { packages } = JSON.parse(lock) as { readonly packages: object }
    expect(Object.keys(packages)).toEqual(["node_modules/@holdpoint/url-mode-conformance"])
    const server = await serveFixture(0)
    const flags = ["--url", server.url, "--check", "url", "--check", "address"]
    const { status, output } = await npm("npx", ["@holdpoint/url-mode-conformance", ...flags], folder)
    await server.close()
    expect(output).toMatch(/^2026-07-28\n {2}✔ url-asked .*\n[\s\S]*\n\d\d passed, 0 failed, \d skipped\n$/)
    expect(status).toBe(0)
  })

  it("contain the Nextcloud stand-in as a program and a command, without the other packages", async () => {
    const folder = join(home, "stand-in")
    await install(folder, ["@holdpoint/nextcloud-stand-in"])
    const lock = readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")
    const { packages } = JSON.parse(lock) as { readonly packages: object }
    const brought = ["@holdpoint/nextcloud-stand-in", "ical.js", "sax", "timezones-ical-library"]
    expect(Object.keys(packages)).toEqual(brought.map((name) => `node_modules/${name}`))
    const answers = run(process.execPath, ["--input-type=module", "--eval", standingIn], folder)
    expect(answers.output).toBe("207 200\n")
    const { status, output } = await npm("npx", ["@holdpoint/nextcloud-stand-in", "--help"], folder)
    expect(output).toContain("--keep FILE")
    expect(status).toBe(0)
  })

  it.each(Object.values(folders).filter((folder) => folder !== "apps/holdpoint"))(
    "of %s export what the sources do, entry by entry",
    async (folder) => {
      const home = join(root, folder)
      const { name, exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
        readonly name: string
        readonly exports: Readonly<Record<string, string>>
      }
      const sources = Object.entries(exports).map(async ([entry, path]) => {
        const names = Object.keys((await import(join(home, path))) as object)
        return [join(name, entry), names.sort()] as const
      })
      const expected = Object.fromEntries(await Promise.all(sources))
      const listing = `const all = ${JSON.stringify(Object.keys(expected))}
for (const entry of all) console.log(JSON.stringify([entry, Object.keys(await import(entry)).sort()]))`
      writeFileSync(join(project, "names.js"), listing)
      const { output } = run(process.execPath, ["names.js"])
      const lines = output.trim().split("\n")
      expect(Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, string[]]))).toEqual(expected)
    },
  )

  it("read documents in a thread of their own", () => {
    const file = join(installed("@holdpoint/nextcloud"), "dist/extract/extract.js")
    const bytes = Buffer.from(pdf("packed")).toString("base64")
    const program = `const { extractText } = await import(${JSON.stringify(file)})
console.log((await extractText(Buffer.from("${bytes}", "base64"))).parts[0].text)`
    expect(run(process.execPath, ["--input-type=module", "--eval", program]).output).toBe("packed\n")
  })

  it("contain the holdpoint command", () => {
    const { status, output } = run(process.execPath, [join(installed(".bin"), "holdpoint"), "--help"])
    expect(output).toMatch(/holdpoint/i)
    expect(status).toBe(0)
  })

  it("create a script tool, and run it with the SDK for scripts that they contain", () => {
    const command = join(installed(".bin"), "holdpoint")
    const shell = (...words: readonly string[]) => run(process.execPath, [command, "shell", ...words])
    expect([shell("init").status, shell("validate").status]).toEqual([0, 0])
    const hello = shell("run", "hello", "--args", '{"name": "Ada"}', "--database", join(home, "shell.db"))
    expect(hello).toMatchObject({ status: 0, output: expect.stringContaining("Hello Ada!") })
  })

  it("contain everything for the demonstration, which shows its chat, its MCP client and its Nextcloud", async () => {
    const words = [join(installed(".bin"), "holdpoint"), "demo", "--port", "0", "--json"]
    const demo = spawn(process.execPath, words, { cwd: project, env: environment() })
    try {
      const [line] = await once(createInterface(demo.stdout), "line")
      const { url, mcp, nextcloud } = JSON.parse(line) as Readonly<Record<"url" | "mcp" | "nextcloud", string>>
      expect(await (await fetch(url)).text()).toContain("List my notes")
      expect(await (await fetch(`${url}/try`)).text()).toContain('id="try"')
      expect(await (await fetch(`${nextcloud}/status.php`)).json()).toMatchObject({ installed: true })
      expect((await fetch(mcp, { method: "POST" })).status).toBe(401)
    } finally {
      demo.kill()
      await once(demo, "exit")
    }
  })

  it("contain the built panel of the demonstration, without its bundler", () => {
    const panel = readFileSync(join(installed("holdpoint"), "dist/demo/panel.js"), "utf8")
    expect(panel).toContain("/try/mcp")
    expect(existsSync(installed("rolldown"))).toBe(false)
  })

  it("contain types that pass strict settings, with every declaration checked", () => {
    writeFileSync(join(project, "typed.ts"), typed)
    const compilerOptions = {
      target: "ES2024",
      lib: ["ES2024"],
      module: "NodeNext",
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    }
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }))
    const compiler = join(root, "node_modules/typescript/bin/tsc")
    expect(run(process.execPath, [compiler, "--project", project])).toEqual({ status: 0, output: "" })
  })

  it("declare nothing with the types of packages that are not installed with them", () => {
    const reached = new Set<string>()
    const named = new Map<string, string>()
    for (const home of published.filter((name) => folders[name]?.startsWith("packages/")).map(installed)) {
      const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
        readonly exports: Readonly<Record<string, { readonly types: string }>>
      }
      for (const { types } of Object.values(exports)) reached.add(join(home, types))
    }
    for (const file of reached) {
      for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/\b(?:from|import\()\s*"([^"]+)"/g)) {
        if (from.startsWith(".")) reached.add(join(dirname(file), from.replace(/\.js$/, ".d.ts")))
        else named.set(from, relative(project, file))
      }
    }
    expect(reached.size).toBeGreaterThan(50)
    expect([...named].filter(([from]) => /^(?:oidc-provider|pg|@inquirer)\b/.test(from))).toEqual([])
  })

  it("load no optional peer before it is needed", () => {
    const unneeded = published
      .filter((name) => folders[name]?.startsWith("packages/"))
      .flatMap((name) => {
        const { exports, peerDependenciesMeta = {} } = JSON.parse(
          readFileSync(join(installed(name), "package.json"), "utf8"),
        ) as {
          readonly exports: Readonly<Record<string, { readonly default: string }>>
          readonly peerDependenciesMeta?: object
        }
        return Object.entries(exports).flatMap(([entry, file]) => {
          const textOf = (path: string) => readFileSync(path, "utf8")
          const loaded = peersLoadedBy(join(installed(name), file.default), Object.keys(peerDependenciesMeta), textOf)
          const spec = entry.replace(".", name)
          return [...loaded.keys()].filter((peer) => !peersOfEntries[spec]?.includes(peer)).map((peer) => [spec, peer])
        })
      })
    expect(unneeded).toEqual([])
  })

  it.each(published)("contain no file in %s that users do not need", (name) => {
    const files = packedIn(name)
    expect(["LICENSE", "README.md", "package.json"].filter((path) => !files.includes(path))).toEqual([])
    const others = files.filter(
      (path) => !/^(?:LICENSE|README\.md|package\.json|(?:dist|bin|recordings|sdk)\/.*)$/.test(path),
    )
    expect([
      ...others,
      ...files.filter((path) => /(?<!\.d)\.ts$|\.map$|\.test\.|tsconfig|node_modules/.test(path)),
    ]).toEqual([])
  })

  it.each(published)("contain the README of %s", (name) => {
    const packed = readFileSync(join(installed(name), "README.md"), "utf8")
    expect(packed).toBe(readFileSync(join(root, folders[name] ?? "", "README.md"), "utf8"))
  })

  it.each(published)("name no folder of the machine that made %s", (name) => {
    const revealing = filesIn(installed(name)).filter((path) => {
      const text = readFileSync(path, "utf8")
      return text.includes(root.replace(/\/$/, "")) || text.includes(project) || text.includes("sourceMappingURL")
    })
    expect(revealing).toEqual([])
  })

  it.each(published)("publish a package.json for %s that needs no workspace", (name) => {
    const text = readFileSync(join(installed(name), "package.json"), "utf8")
    const manifest = JSON.parse(text) as Readonly<Record<string, unknown>>
    expect(Object.keys(manifest).filter((key) => /^(?:workspaces|scripts|devDependencies|private)$/.test(key))).toEqual(
      [],
    )
    expect(manifest).toMatchObject({ name, license: "Apache-2.0", engines: { node: ">=24" } })
    expect(text).not.toMatch(/\/src\/|(?:workspace|file|link):/)
  })

  async function install(folder: string, names: readonly string[]): Promise<void> {
    mkdirSync(folder)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }))
    const options = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    const { status, output } = await npm("npm", ["install", ...options, ...names], folder)
    expect(status, output).toBe(0)
  }

  /** Runs npm asynchronously, because the registry is in this process. */
  async function npm(command: "npm" | "npx", args: readonly string[], cwd: string): Promise<Ran> {
    const env = { ...environment(), npm_config_registry: packageSource.url, npm_config_cache: cache }
    try {
      const { stdout } = await promisify(execFile)(command, args, { cwd, env, timeout: 160_000 })
      return { status: 0, output: stdout }
    } catch (error) {
      const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string }
      return { status: code ?? null, output: `${stdout}${stderr}` }
    }
  }

  function run(command: string, args: readonly string[], cwd = project): Ran {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: environment(),
      timeout: 160_000,
    })
    if (error !== undefined) throw error
    return { status, output: status === 0 ? stdout : `${stdout}${stderr}` }
  }
})

interface Ran {
  readonly status: number | null
  readonly output: string
}

/** Neither npm's settings for this repository nor the test runner's options may leak into the project. */
function environment(): NodeJS.ProcessEnv {
  const isOurs = /^(?:npm_(?!config_)|npm_config_local_prefix|NODE_OPTIONS|VITEST)/
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !isOurs.test(key)))
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
