// Finds promises without an owner, by the types of the compiler: the rejection of such a promise ends the process. Work
// that was started has an owner when it is awaited next, returned, assigned, or has a handler for its rejection.

import { join } from "node:path"
import type { Node, SourceFile } from "typescript/unstable/ast"
import { SyntaxKind } from "typescript/unstable/ast"
import type { Checker } from "typescript/unstable/sync"
import { API } from "typescript/unstable/sync"
import { root } from "../sources.ts"

export interface Orphan {
  readonly path: string
  readonly line: number
  readonly code: string
}

/** Checks the files of the repository's TypeScript project whose path matches. */
export function findOrphans(matches: (path: string) => boolean): readonly Orphan[] {
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] }).getProjects()
    if (project === undefined) throw new Error("The compiler opened no project.")
    const { checker, program } = project
    const names = program
      .getSourceFileNames()
      .filter((name) => name.startsWith(root) && matches(name.slice(root.length)))
    return names.flatMap((name) => {
      const file = program.getSourceFile(name)
      return file === undefined
        ? []
        : orphansOf(file, checker).map((node) => toOrphan(name.slice(root.length), file, node))
    })
  } finally {
    api.close()
  }
}

const toOrphan = (path: string, file: SourceFile, node: Node): Orphan => ({
  path,
  line: file.text.slice(0, node.getStart(file)).split("\n").length,
  code: node.getText(file).replaceAll(/\s+/g, " ").slice(0, 80),
})

function orphansOf(file: SourceFile, checker: Checker): readonly Node[] {
  const dropped: Node[] = []
  const started: { readonly declaration: Node; readonly value: Node }[] = []
  eachNode(file, (node) => {
    const expression = droppedExpression(node)
    if (expression !== undefined && !isHandled(expression)) dropped.push(expression)
    const value = partOf(node, "initializer")
    if (node.kind === SyntaxKind.VariableDeclaration && value !== undefined && startsWork(value))
      started.push({ declaration: node, value })
  })
  const late = started.filter(({ declaration }) => isAwaitedLate(declaration, file))
  const suspects = [...dropped, ...late.map(({ value }) => value)]
  if (suspects.length === 0) return []
  const types = checker.getTypeAtLocation(suspects)
  return suspects.filter((_, index) => {
    const type = types[index]
    const present = type === undefined ? undefined : checker.getNonNullableType(type)
    return present !== undefined && checker.getPropertyOfType(present, "then") !== undefined
  })
}

function eachNode(node: Node, visit: (node: Node) => void): void {
  node.forEachChild((child) => {
    visit(child)
    eachNode(child, visit)
  })
}

type Parts = Readonly<Record<string, Node | undefined>>
const partOf = (node: Node, part: string): Node | undefined => (node as unknown as Parts)[part]

/** The expression whose value this node drops: a statement of its own, or the operand of `void`. */
function droppedExpression(node: Node): Node | undefined {
  const isDropping = node.kind === SyntaxKind.ExpressionStatement || node.kind === SyntaxKind.VoidExpression
  return isDropping ? partOf(node, "expression") : undefined
}

const ownedKinds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.AwaitExpression,
  SyntaxKind.BinaryExpression,
  SyntaxKind.VoidExpression,
])

/** Whether something handles a rejection of this promise, or keeps the promise. */
function isHandled(expression: Node): boolean {
  if (ownedKinds.has(expression.kind)) return true
  if (expression.kind !== SyntaxKind.CallExpression) return false
  const callee = partOf(expression, "expression")
  const name =
    callee === undefined ? undefined : (partOf(callee, "name") as { readonly text?: string } | undefined)?.text
  const { length } = (expression as unknown as { readonly arguments: readonly Node[] }).arguments
  if (name === "catch" || (name === "then" && length === 2)) return true
  const receiver = callee === undefined ? undefined : partOf(callee, "expression")
  return name === "finally" && receiver !== undefined && isHandled(receiver)
}

/** Whether the value of a variable may be a promise of work that this expression starts. */
function startsWork(value: Node): boolean {
  if (value.kind === SyntaxKind.CallExpression) return true
  const branches = [partOf(value, "whenTrue"), partOf(value, "whenFalse"), partOf(value, "right")]
  return branches.some((branch) => branch !== undefined && startsWork(branch))
}

/** Whether other work is awaited before each path of the function awaits this variable, or hands it on. */
function isAwaitedLate(declaration: Node, file: SourceFile): boolean {
  const name = partOf(declaration, "name")
  const block = enclosingBlock(declaration)
  if (name === undefined || name.kind !== SyntaxKind.Identifier || block === undefined) return false
  const variable = name.getText(file)
  const awaits: Node[] = []
  const uses: Node[] = []
  const collect = (node: Node): void => {
    if (node.pos >= declaration.end) {
      if (node.kind === SyntaxKind.AwaitExpression) awaits.push(node)
      if (node.kind === SyntaxKind.Identifier && node.getText(file) === variable) uses.push(node)
    }
    node.forEachChild(collect)
  }
  collect(block)
  const sure = uses.find((use) => !isConditional(use, block))
  const isInside = (outer: Node): boolean => sure !== undefined && outer.pos <= sure.pos && sure.end <= outer.end
  return awaits.some((one) => !isNested(one, block) && !isInside(one) && (sure === undefined || one.pos < sure.pos))
}

const functionKinds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
])

function enclosingBlock(node: Node): Node | undefined {
  for (let outer = node.parent; outer !== undefined; outer = outer.parent)
    if (outer.kind === SyntaxKind.Block || outer.kind === SyntaxKind.SourceFile) return outer
  return undefined
}

/** Whether this node belongs to a function inside the block. */
function isNested(node: Node, block: Node): boolean {
  for (let outer = node.parent; outer !== undefined && outer !== block; outer = outer.parent)
    if (functionKinds.has(outer.kind)) return true
  return false
}

/** Whether some path through the block does not reach this node. */
function isConditional(node: Node, block: Node): boolean {
  for (let inner = node; inner.parent !== undefined && inner !== block; inner = inner.parent) {
    const { parent } = inner
    if (parent.kind === SyntaxKind.BinaryExpression && isShortCircuit(parent) && partOf(parent, "right") === inner)
      return true
    const isBranch = parent.kind === SyntaxKind.IfStatement || parent.kind === SyntaxKind.ConditionalExpression
    const isCondition = [partOf(parent, "expression"), partOf(parent, "condition")].includes(inner)
    if (isBranch && !isCondition) return true
  }
  return false
}

const shortCircuits: ReadonlySet<SyntaxKind | undefined> = new Set([
  SyntaxKind.BarBarToken,
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.QuestionQuestionToken,
])
const isShortCircuit = (node: Node): boolean => shortCircuits.has(partOf(node, "operatorToken")?.kind)
