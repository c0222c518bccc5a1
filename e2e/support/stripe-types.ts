// Holds requests and answers against the types that Stripe generates from its OpenAPI document for its own SDK. Each
// value becomes a constant with a type in a TypeScript file, and the compiler judges it: what is missing, unknown or of
// another type is an error.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const e2e = resolve(import.meta.dirname, "..");
const compiler = resolve(e2e, "../web/node_modules/.bin/tsc");

/** A value, and the SDK's type for it. */
export interface Typed {
  what: string;
  type: string;
  value: unknown;
}

/** The types as they are on the wire: decimals are strings, and forms contain only text. */
const prelude = `import type Stripe from "stripe";
type ProviderAnswer<T> = T extends Stripe.Decimal ? string
  : T extends string | number | boolean | null | undefined ? T
  : T extends (infer Item)[] ? ProviderAnswer<Item>[]
  : { [Key in keyof T as Key extends "lastResponse" ? never : Key]: ProviderAnswer<T[Key]> };
type Form<T> = T extends Stripe.Decimal ? \`\${number}\`
  : T extends string | undefined ? T
  : T extends number ? \`\${T}\`
  : T extends boolean ? \`\${T}\`
  : T extends (infer Item)[] ? Form<Item>[]
  : { [Key in keyof T]: Form<T[Key]> };
`;

/** Returns what the compiler says against the values, each sentence once. */
export async function misfits(values: readonly Typed[]): Promise<string[]> {
  // Inside the folder with the SDK, where its types are found.
  const folder = await mkdtemp(join(e2e, "test-results-stripe-"));
  const lines = [...prelude.split("\n")];
  const known = new Map<number, Typed>();
  for (const [index, typed] of values.entries()) {
    lines.push(`export const value${index}: ${typed.type} = ${JSON.stringify(typed.value)};`);
    known.set(lines.length, typed);
  }
  await writeFile(join(folder, "values.ts"), lines.join("\n"));
  const options = { module: "nodenext", target: "es2023", strict: true, exactOptionalPropertyTypes: false, noEmit: true, skipLibCheck: true, types: [] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["values.ts"] }));
  const output = await new Promise<string>((done) => execFile(compiler, ["-p", folder, "--pretty", "false"], { maxBuffer: 1 << 26 }, (_, stdout, stderr) => done(stdout + stderr)));
  await rm(folder, { recursive: true });
  const said = output
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const at = Number(line.match(/\((\d+),\d+\)/)?.[1]);
      const typed = known.get(at);
      return typed ? `${typed.what}: ${line.slice(line.indexOf("): ") + 3)}` : line;
    });
  return [...new Set(said)];
}

/** Nests the fields of a form by the brackets in their names, as Stripe reads them. */
export function nested(form: readonly [string, string][]): unknown {
  const root: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const keys = name.split(/[[\]]+/).filter((key, index) => key !== "" || index === 0);
    const isList = name.endsWith("[]");
    let place = root;
    keys.forEach((key, index) => {
      const isLast = index === keys.length - 1;
      if (isLast && isList) place[key] = [...((place[key] as unknown[] | undefined) ?? []), value];
      else if (isLast) place[key] = value;
      else {
        place[key] ??= {};
        place = place[key] as Record<string, unknown>;
      }
    });
  }
  return withLists(root);
}

/** Turns objects whose keys are 0, 1, .. into lists. */
function withLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, withLists(part)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
