// Builds the published packages: plain JavaScript and declarations, because Node does not strip types below
// node_modules. Everything is written to one folder, build/ by default; the sources stay unchanged.

import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { readCommandLine } from "@holdpoint/testkit/command-line"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The folders of the published packages, each after those that it depends on. */
const packages = inOrder(
  ["packages", "apps", "tools"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: manifestOf(folder) }))
    .filter(({ manifest }) => manifest.private !== true),
)

interface Bundle {
  /** The folder below src that is published in the bundle only. Undefined: all sources are published as modules too. */
  readonly folder?: string
  /** The script that builds the file. */
  readonly script: string
  /** The bundle's path below dist. */
  readonly file: string
}

/** Browser programs, bundled into one file. */
const bundles: Readonly<Record<string, Bundle>> = {
  "apps/holdpoint": { folder: "demo/panel", script: "demo/bundle.ts", file: "demo/panel.js" },
  "packages/widget": { script: "script.ts", file: "holdpoint-widget.js" },
}

/** Programs load many files of these packages at every start; the command's own files are loaded when they are needed. */
const isJoined = (folder: string): boolean => folder.startsWith("packages/") || folder === "apps/nextcloud"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

export interface PackedPackage {
  readonly name: string
  readonly tarball: string
}

export interface PackOptions {
  /** Whether the sources are type-checked first. Otherwise only errors of syntax and of declarations are found. */
  readonly isChecked: boolean
}

/** `build` must be inside the repository, where the compiler finds the types it needs. */
export function pack(
  build = join(root, "build"),
  options: PackOptions = { isChecked: true },
): readonly PackedPackage[] {
  const manifests = packages.map((folder) => make(folder, build, options))
  // Packs all packages in one process, because npm takes longer to start than to pack.
  const folders = packages.map((folder) => `./${basename(folder)}`)
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", build, ...folders], build)
  return manifests.map(({ name, version }) => {
    const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`
    return { name, tarball: join(build, file) }
  })
}

/** Builds the content of one package in a folder below `build`. Returns its manifest. */
function make(folder: string, build: string, { isChecked }: PackOptions): Manifest {
  const home = join(root, folder)
  const into = join(build, basename(folder))
  const manifest = manifestOf(folder)
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const bundle = bundles[folder]
  compile(home, into, { paths: declarationsIn(build), bundle, isChecked })
  copy(home, into, bundle)
  if (bundle !== undefined)
    run(process.execPath, [join(home, "src", bundle.script), join(into, "dist", bundle.file)], root)
  writeJson(join(into, "package.json"), toPublished(manifest, besideOf(home)))
  if (isJoined(folder)) run(process.execPath, [join(root, "scripts", "join.ts"), into], root)
  return manifest
}

interface CompileOptions extends PackOptions {
  readonly paths: Readonly<Record<string, readonly string[]>>
  readonly bundle: Bundle | undefined
}

function compile(home: string, into: string, { paths, bundle, isChecked }: CompileOptions): void {
  const config = join(into, "tsconfig.json")
  writeJson(config, {
    extends: join(root, "tsconfig.build.json"),
    compilerOptions: {
      ...{ rootDir: join(home, "src"), outDir: join(into, "dist"), paths, noCheck: !isChecked },
      ...libraryOf(home),
    },
    include: [join(home, "src")],
    exclude: bundle?.folder === undefined ? [] : [join(home, "src", bundle.folder)],
  })
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--project", config], root)
  rmSync(config)
  for (const file of filesIn(join(into, "dist")).filter((path) => path.endsWith(".d.ts"))) {
    const text = readFileSync(file, "utf8")
    // The compiler names a type that it inferred, and that no entry exports, by its path in this repository.
    if (/\/build\//.test(text)) throw new Error(`${file} names a type of another package by its path. Annotate it.`)
    // The compiler rewrites extensions in JavaScript only, and older ones do not find ./a.d.ts from "./a.ts".
    writeFileSync(file, text.replace(/(\b(?:from|import)\s*\(?\s*"\.{1,2}\/[^"]*)\.ts"/g, '$1.js"'))
  }
}

/** The `lib` setting in the package's own tsconfig.json, which packages for browsers have. */
function libraryOf(home: string): { readonly lib?: readonly string[] } {
  const own = join(home, "tsconfig.json")
  if (!existsSync(own)) return {}
  const { compilerOptions } = JSON.parse(readFileSync(own, "utf8")) as { compilerOptions: { lib: readonly string[] } }
  return { lib: compilerOptions.lib }
}

/** Maps the packages built so far to their declarations, so that later packages do not compile their sources. */
function declarationsIn(build: string): Readonly<Record<string, readonly string[]>> {
  const built = packages
    .map((folder) => join(build, basename(folder)))
    .filter((it) => existsSync(join(it, "package.json")))
  return Object.fromEntries(
    built.flatMap((home) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
        readonly name: string
        readonly exports?: Readonly<Record<string, { readonly types: string }>>
      }
      return Object.entries(exports).map(([entry, { types }]) => [join(name, entry), [join(home, types)]])
    }),
  )
}

/** Folders beside src that are published too. */
const besideOf = (home: string): readonly string[] =>
  ["bin", "recordings", "sdk"].filter((name) => existsSync(join(home, name)))

/** Copies files that are not compiled: commands, and files that the sources read. */
function copy(home: string, into: string, bundle: Bundle | undefined): void {
  for (const folder of besideOf(home)) cpSync(join(home, folder), join(into, folder), { recursive: true })
  for (const path of filesIn(join(home, "src")).map((file) => relative(join(home, "src"), file))) {
    if (path.endsWith(".ts") || (bundle?.folder !== undefined && path.startsWith(bundle.folder))) continue
    cpSync(join(home, "src", path), join(into, "dist", path))
  }
  cpSync(join(home, "README.md"), join(into, "README.md"))
  cpSync(join(root, "LICENSE"), join(into, "LICENSE"))
}

function toPublished(
  { exports, scripts, devDependencies, private: _, ...kept }: Manifest,
  folders: readonly string[],
): object {
  const entries = Object.entries(exports ?? {}).map(([entry, source]) => {
    const [, path = "", isModule] = /^\.\/src\/(.*)\.(?:ts|(mjs))$/.exec(source) ?? []
    const [types, code] = isModule === undefined ? [".d.ts", ".js"] : [".d.mts", ".mjs"]
    return [entry, { types: `./dist/${path}${types}`, default: `./dist/${path}${code}` }]
  })
  return {
    ...kept,
    ...(exports === undefined ? {} : { exports: Object.fromEntries(entries) }),
    files: [...folders, "dist"],
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest
}

interface Workspace {
  readonly folder: string
  readonly manifest: Manifest
}

function inOrder(workspaces: readonly Workspace[]): readonly string[] {
  const ordered = new Set<string>()
  const add = ({ folder, manifest }: Workspace, path: readonly string[]): void => {
    if (path.includes(folder)) throw new Error(`These packages depend on each other: ${[...path, folder].join(" → ")}`)
    const needed = { ...manifest.dependencies, ...manifest.peerDependencies }
    for (const other of workspaces) if (other.manifest.name in needed) add(other, [...path, folder])
    ordered.add(folder)
  }
  for (const workspace of workspaces) add(workspace, [])
  return [...ordered]
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function writeJson(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${basename(command)} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`)
}

const help = `npm run pack -- [DIR]

Builds the published packages in build/, checks their types, and prints the path and size of each tarball.

  DIR     the folder for copies of the tarballs (default: they stay in build/)
  --help  show this help
`

if (import.meta.main) {
  const { words } = readCommandLine(help, { words: { most: 1 } })
  const [folder = join(root, "build")] = words
  for (const { name, tarball } of pack()) {
    const written = join(folder, basename(tarball))
    if (resolve(written) !== tarball) cpSync(tarball, written)
    console.log(`${name}: ${written} (${Math.ceil(statSync(written).size / 1024)} KB)`)
  }
}
