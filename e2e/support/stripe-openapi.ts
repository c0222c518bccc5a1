// Validates requests and answers by Stripe's own OpenAPI document. stripe-openapi.json is that document of the version that the
// client asks for (github.com/stripe/openapi, copyright Stripe, MIT license), trimmed to the calls used here: without descriptions, and objects that
// never occur are plain objects.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import type { Exchange } from "./stripe-recorder.ts";
import { nested } from "./stripe-types.ts";

type Schema = Record<string, unknown>;
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}
interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const document = JSON.parse(readFileSync(resolve(import.meta.dirname, "stripe-openapi.json"), "utf8")) as Document;

/** The version of the API that the document describes. */
export const documentVersion = document.info.version;

/** A call of the document, with what judges it. */
interface Call {
  name: string;
  method: string;
  path: RegExp;
  request: ValidateFunction;
  answer: ValidateFunction;
  refusal: ValidateFunction;
}

/** OpenAPI 3.0 says `nullable` where JSON Schema knows the type null. */
function asJsonSchema(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(asJsonSchema);
  if (typeof part !== "object" || part === null) return part;
  const { nullable, ...rest } = part as Schema;
  const schema = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asJsonSchema(value)]));
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : schema;
}

const strictness = { allErrors: true, strict: false, logger: false, validateFormats: false } as const;
const definitions = asJsonSchema({ $id: "stripe", components: document.components }) as Schema;
const answers = new Ajv(strictness).addSchema(definitions);
// A form contains only text, also where the document has numbers and booleans.
const forms = new Ajv({ ...strictness, coerceTypes: true });

function bodyOf(content: Record<string, { schema: Schema }>, kind: string): Schema {
  const schema = content[kind]?.schema;
  if (schema === undefined) throw new Error(`no ${kind}`);
  return schema;
}

/** References point into the document, and each schema is compiled apart. */
function compiled(schema: Schema): ValidateFunction {
  const text = JSON.stringify(asJsonSchema(schema)).replaceAll('"#/components/', '"stripe#/components/');
  return answers.compile(JSON.parse(text) as Schema);
}

function callOf(path: string, method: string, { parameters = [], requestBody, responses }: Operation): Call {
  const query = parameters.filter((parameter) => parameter.in === "query");
  const asQuery = {
    type: "object",
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  const form = method === "get" ? asQuery : bodyOf(requestBody?.content ?? {}, "application/x-www-form-urlencoded");
  const answerOf = (status: string) => compiled(bodyOf(responses[status]?.content ?? {}, "application/json"));
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replace("/v1/", "").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    request: forms.compile(asJsonSchema(form) as Schema),
    answer: answerOf("200"),
    refusal: answerOf("default"),
  };
}

const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => callOf(path, method, operation)),
);

/** Names of the document's calls. */
export const documentedCalls = calls.map(({ name }) => name);

function callFor({ method, path }: Exchange): Call | undefined {
  return calls.find((call) => call.method === method && call.path.test(path));
}

/** Returns the document's name of a call, if it has it. */
export const documentedName = (exchange: Exchange): string | undefined => callFor(exchange)?.name;

function complaints(what: string, judge: ValidateFunction, value: unknown): string[] {
  if (judge(value)) return [];
  return (judge.errors ?? []).map(({ instancePath, message, params }) => `${what}: ${instancePath} ${message} ${JSON.stringify(params)}`);
}

/** Returns what the document says against the calls, each sentence once. */
export function contradictions(exchanges: readonly Exchange[]): string[] {
  const said = exchanges.flatMap((exchange) => {
    const call = callFor(exchange);
    if (call === undefined) return [`${exchange.method} ${exchange.path} is not in the document`];
    const { name, request, answer, refusal } = call;
    return [
      ...complaints(`request of ${name}`, request, nested(exchange.form)),
      ...complaints(`answer to ${name}`, exchange.status < 300 ? answer : refusal, exchange.answer),
    ];
  });
  return [...new Set(said)];
}

/** An event as it was delivered. */
export interface Delivered {
  type: string;
  data: { object: { object: string } };
}

const judgesOfObjects = new Map<string, ValidateFunction>();

/** Returns what the document says against a delivered event and the object in it. */
export function contradictionsOfEvent(event: Delivered): string[] {
  const judge = (name: string) => {
    const known = judgesOfObjects.get(name) ?? compiled({ $ref: `#/components/schemas/${name}` });
    judgesOfObjects.set(name, known);
    return known;
  };
  const { object } = event.data;
  return [...complaints(`event ${event.type}`, judge("event"), event), ...complaints(`object of ${event.type}`, judge(object.object), object)];
}
