// What an agent is, as holdpoint.config.ts describes it. Types only; section.ts checks the values.

import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Ask } from "@holdpoint/sdk/asking"
import type { Site } from "@holdpoint/sdk/compose"
import type { TokenIssuer } from "@holdpoint/sdk/identity"
import type { Mcp } from "@holdpoint/sdk/mcp"

/** The section `agents` of the configuration. */
export interface AgentsConfig {
  /** The agents, by name. */
  readonly agents: Readonly<Record<string, AgentConfig>>
  /** The agent that answers when a request names none. Default: the only one there is. */
  readonly default?: string
  /** MCP servers, by name, for the agents that list them. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>
  /** Origins of web pages that may call the run API and the agents over A2A with a token. */
  readonly origins?: readonly string[]
  /** Authorization servers, besides the built-in one, whose tokens for `{publicUrl}/run` and `{publicUrl}/a2a` are accepted. */
  readonly issuers?: readonly TokenIssuer[]
  /** Programs of yours, each with the SHA-256 of its API key. */
  readonly apiKeys?: readonly ApiKeyConfig[]
  /** How long a message and its reply are kept. Default: 30 days. */
  readonly conversationMs?: number
  /** How long a person has to answer a question in a conversation. Default: 600 s, and a day over A2A. */
  readonly questionMs?: number
  readonly limits?: AgentLimits
  /** A file with a private key as a JSON Web Key, which signs the cards that other agents read. Default: not signed. */
  readonly cardKey?: string
}

export interface AgentLimits {
  /** The most replies that a process works on at a time for one person. Those that wait for people do not count. Default: 20. */
  readonly runsPerPerson?: number
}

/** One agent: its model, what it is told, and what it may call. */
export interface AgentConfig {
  /** A model of any AI SDK provider (specification v4), for example from `openAiCompatible` or `scriptedModel`. */
  readonly model: LanguageModelV4
  readonly instructions?: string
  /** The name that people read. Default: the name in the configuration. */
  readonly title?: string
  /** For a model that calls this agent as a tool: what it is good for. */
  readonly description?: string
  /** The names of MCP servers whose tools it may call. */
  readonly mcpServers?: readonly string[]
  /** Functions that it may call, by name. */
  readonly tools?: Readonly<Record<string, FunctionTool>>
  /** The names of agents that it may call. */
  readonly agents?: readonly string[]
  /** By name of the tool, or “*”. Default: `always`. */
  readonly policies?: Readonly<Record<string, ToolPolicy>>
  /** The most model steps of one reply. Default: 20. */
  readonly maxSteps?: number
}

/**
 * `always`: called without asking. `ask`: a person approves each call; with `editable` they may change its arguments.
 * `never`: not offered.
 */
export type ToolPolicy = "never" | "ask" | "always" | { readonly policy: "ask"; readonly editable: true }

/** A function that a model may call. */
export type FunctionTool = FunctionToolBase & (FunctionThatRuns | FunctionThatAsks)

interface FunctionToolBase {
  /** What people read while it runs: “Plan a trip”. Default: the name. */
  readonly title?: string
  readonly description: string
  /** The arguments, as JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** Done once per call: if it is unknown whether it was done, it is not done again unless `repeatable` says so. */
interface FunctionThatRuns {
  readonly execute: (input: never, tools: { readonly signal: AbortSignal }) => unknown
  readonly repeatable?: boolean
}

/** Asks people itself: it runs again from its beginning when an answer is there, so effects belong in `ask.once`. */
interface FunctionThatAsks {
  readonly handle: (input: never, ask: Ask) => Promise<unknown>
}

/** Whose credentials the calls of an MCP server carry: the person's own, one account for all, or none. */
export type CredentialScope = "user" | "project" | "none"

/** An MCP server whose tools agents may call: by address, by command, or in this process. */
export type McpServerConfig = McpServerBase & (McpServerByUrl | McpServerByCommand | McpServerInProcess)

interface McpServerBase {
  readonly credentialScope: CredentialScope
  /** The provider of the account that it needs. */
  readonly provider?: string
  /** What the account has to allow: for all tools, or by the name of the tool. */
  readonly scopes?: readonly string[] | ((tool: string) => Promise<readonly string[]>)
  /** With `credentialScope: "project"`: the project whose account it is. Default: `agents`. */
  readonly project?: string
  /** The tools, if they are to be known before anybody has connected. */
  readonly tools?: readonly KnownTool[]
  /** The name that people read. Default: the name in the configuration. */
  readonly title?: string
}

/** A tool of an MCP server, as the configuration describes it. */
export interface KnownTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

interface McpServerByUrl {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

interface McpServerByCommand {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** With `credentialScope: "user"`: the environment variable that gets the person's credential. */
  readonly credentialVariable?: string
}

interface McpServerInProcess {
  /** A server of this process, whose questions are asked on the same hub. */
  readonly mcp: (site: Site) => Mcp
}

/** A program of yours. It may ask for tokens in the name of people of one issuer, if `actsFor` says so. */
export interface ApiKeyConfig {
  readonly id: string
  /** The SHA-256 of the key, in hexadecimal. */
  readonly sha256: string
  readonly actsFor?: { readonly issuer: string; readonly tenant: string }
}
