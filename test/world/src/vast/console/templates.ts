import { json, objectBody, type JsonObject, type WireResponse } from '../../http/wire.js';
import { invalid, notAllowed, notFound, type ConsoleCall, type VastParts } from '../parts.js';
import { columnsOf, filtersOf, passes } from './select.js';
import { templateRow } from './rows.js';

/** `/api/v0/template/`: an edit keeps the id and changes the hash, which follows from the content. */
export function templates(parts: VastParts, { request }: ConsoleCall): WireResponse {
  const body = objectBody(request.body) ?? {};
  switch (request.method) {
    case 'GET':
      return list(parts, request.url.searchParams);
    case 'POST':
      return create(parts, body);
    case 'PUT':
      return edit(parts, body);
    case 'DELETE': {
      const id = body['template_id'];
      if (typeof id !== 'number') return invalid('template_id must be a number');
      const template = parts.store.templates.get(id);
      if (!template || template.isPublic) return notFound('Template not found');
      parts.store.templates.delete(id);
      return json(200, { success: true });
    }
    default:
      return notAllowed();
  }
}

/** Own and public ones. */
function list({ store, options }: VastParts, query: URLSearchParams): WireResponse {
  const filters = filtersOf(query);
  const rows = [...store.templates.values()]
    .map((template) => templateRow(template, options))
    .filter((row) => passes(row, filters))
    .map((row) => columnsOf(row, query));
  return json(200, { success: true, templates_found: rows.length, templates: rows });
}

function create({ store, options }: VastParts, body: JsonObject): WireResponse {
  const { name } = body;
  if (typeof name !== 'string' || name === '') return invalid('Template name is required');
  const fields = withoutHash(body);
  const same = [...store.templates.values()].find((own) => !own.isPublic && own.fields['name'] === name);
  const upserts = same && options.createTemplate === 'upsert-on-name';
  const { id, hash } = upserts ? store.putTemplate(fields, same.id) : store.putTemplate(fields);
  const msg = `Template Created Successfully! New Template ID: ${id}`;
  return json(200, { success: true, msg, template: { id, name, hash_id: hash } });
}

function edit({ store }: VastParts, body: JsonObject): WireResponse {
  const template = store.templateBy(undefined, body['hash_id']);
  if (!template) return notFound('Template not found');
  if (template.isPublic) return json(401, { success: false, error: 'auth_error', msg: 'Not your template' });
  const edited = store.putTemplate({ ...template.fields, ...withoutHash(body) }, template.id);
  return json(200, { success: true, template: { id: edited.id, hash_id: edited.hash } });
}

const withoutHash = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'hash_id'));
