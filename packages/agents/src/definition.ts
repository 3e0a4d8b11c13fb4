// The types of the section `agents` of holdpoint.config.ts; section.ts checks the values.

import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Ask } from "@holdpoint/calls"
import type { Mcp } from "@holdpoint/mcp"
import type { Site } from "@holdpoint/server"
import type { TokenIssuer } from "@holdpoint/server/identity"

/** The section `agents` of the configuration. */
export interface AgentsConfig {
  /** The agents, by name. */
  readonly agents: Readonly<Record<string, AgentConfig>>
  /** The agent that answers when a request names none. Default: the only agent. */
  readonly default?: string
  /** MCP servers, by name, for the agents that list them. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>
  /** Remote A2A agents, by name, for the agents that list them. */
  readonly a2aAgents?: Readonly<Record<string, A2aAgentConfig>>
  /** Origins of web pages that may call the run API and the agents over A2A with a token. */
  readonly origins?: readonly string[]
  /**
   * Authorization servers, besides the built-in one, whose tokens for `{publicUrl}/run` and `{publicUrl}/a2a` are
   * accepted.
   */
  readonly issuers?: readonly TokenIssuer[]
  /** Your own programs, each with the SHA-256 of its API key. */
  readonly apiKeys?: readonly ApiKeyConfig[]
  /** How long a message and its reply are stored. Default: 30 days. */
  readonly conversationMs?: number
  /** How long a person has to answer a question. Default: 600 s, and a day over A2A. In Slack: always a day. */
  readonly questionMs?: number
  readonly limits?: AgentLimits
  /** The path of a file with a private key as a JSON Web Key, which signs the agent cards. Default: not signed. */
  readonly cardKey?: string
}

export interface AgentLimits {
  /**
   * The maximum number of replies to one person that a process works on at a time. Replies that wait for people do not
   * count. Default: 20.
   */
  readonly runsPerPerson?: number
}

/** One agent: its model, its instructions, and the tools and agents that it may call. */
export interface AgentConfig {
  /** A model of any AI SDK provider (specification v4), for example from `openAiCompatible` or `scriptedModel`. */
  readonly model: LanguageModelV4
  readonly instructions?: string
  /** The name that people read. Default: the name in the configuration. */
  readonly title?: string
  /** The purpose of the agent, for models that call it as a tool. */
  readonly description?: string
  /** The names of MCP servers whose tools the agent may call. */
  readonly mcpServers?: readonly string[]
  /** The names of remote A2A agents to which the agent may give tasks. */
  readonly a2aAgents?: readonly string[]
  /** Functions that the agent may call, by name. */
  readonly tools?: Readonly<Record<string, FunctionTool>>
  /** The names of other agents that the agent may call. */
  readonly agents?: readonly string[]
  /**
   * The policy of each tool by its name; for a tool of an MCP server also by the server's name, `_` and its name. The
   * strictest applies. “*” applies to all other tools. Default: `ask` for tools of MCP servers outside this process and
   * for remote agents, `always` for all others.
   */
  readonly policies?: Readonly<Record<string, ToolPolicy>>
  /** The maximum number of model steps in one reply. Default: 20. */
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
  /** The name that people read while it runs, such as “Plan a trip”. Default: the name in the configuration. */
  readonly title?: string
  readonly description: string
  /** The arguments, as JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** A function that runs once per call. If the process dies during the call, only a `repeatable` function runs again. */
interface FunctionThatRuns {
  readonly execute: (input: never, tools: { readonly signal: AbortSignal }) => unknown
  readonly repeatable?: boolean
}

/** A function that asks people. It runs again from its beginning after each answer, so effects belong in `ask.once`. */
interface FunctionThatAsks {
  readonly handle: (input: never, ask: Ask) => Promise<unknown>
}

/** The credentials of calls: those of the person's own account, those of one shared account, or none. */
export type CredentialScope = "user" | "project" | "none"

/** An MCP server whose tools agents may call: by URL, by command, or in this process. */
export type McpServerConfig = McpServerBase & (McpServerByUrl | McpServerByCommand | McpServerInProcess)

/** The account whose credentials the calls of an MCP server or a remote agent carry. */
export interface AccountConfig {
  readonly credentialScope: CredentialScope
  /** The provider of the account. */
  readonly provider?: string
  /** The scopes that the account needs: the same for all tools, or a function of the tool's name. */
  readonly scopes?: readonly string[] | ((tool: string) => Promise<readonly string[]>)
  /** With `credentialScope: "project"`: the project whose account it is. Default: `agents`. */
  readonly project?: string
}

interface McpServerBase extends AccountConfig {
  /** The tools, for people who have not connected the server yet. */
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
  /** Creates a server in this process, whose questions are asked on the same hub. */
  readonly mcp: (site: Site) => Mcp
}

/** A remote A2A agent, of protocol 1.0 or 0.3, that agents may give tasks to. */
export interface A2aAgentConfig extends AccountConfig {
  /** The URL of the agent, or the URL of its card: a URL that ends with `.json`. */
  readonly url: string
  /** The name that people read. Default: the name in the configuration. */
  readonly title?: string
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One of your own programs. With `actsFor`, it may get tokens in the name of people of one issuer. */
export interface ApiKeyConfig {
  readonly id: string
  /** The SHA-256 of the key, in hexadecimal. */
  readonly sha256: string
  readonly actsFor?: { readonly issuer: string; readonly tenant: string }
}
