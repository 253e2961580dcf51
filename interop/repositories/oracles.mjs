// Reads number, title and status of the documents in the repositories of other projects. Independent of Gavel's own reader, so that
// the two can be compared.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// Each oracle returns the documents in a checkout: {path, side, number, title, status, states}. 'side' is the path of the file
// beside it, and 'states' are the states that the status means; none if the project does not define the status. A document without a
// number has none, so the number is not compared.
export const oracles = {
  pep: (root) =>
    files(root, 'peps', /^pep-\d{4}\.(rst|txt)$/).map((path) => {
      const { PEP, Title, Status } = header(read(root, path));
      return {
        path,
        number: Number(PEP),
        title: Title,
        status: Status,
        states: states(
          Status,
          ['draft', 'accepted', 'provisional', 'final', 'active', 'deferred', 'rejected', 'withdrawn', 'superseded'],
          { 'april fool!': 'rejected' },
        ),
      };
    }),
  eip: (root) =>
    files(root, 'EIPS', /^eip-\d+\.md$/).map((path) => {
      const { eip, title, status } = yaml(/^---\r?\n([\s\S]*?)\r?\n---/.exec(read(root, path))[1]);
      return {
        path,
        number: Number(eip),
        title,
        status,
        states: states(status, ['draft', 'review', 'last-call', 'final', 'stagnant', 'withdrawn', 'living', 'moved']),
      };
    }),
  kep: (root) =>
    tree(root, 'keps')
      .filter((path) => /\/\d+-[^/]*\/README\.md$/i.test(path) && existsSync(join(root, dirname(path), 'kep.yaml')))
      .map((path) => {
        const side = join(dirname(path), 'kep.yaml');
        const { title, status } = yaml(read(root, side));
        return {
          path,
          side,
          // 0000 is a placeholder.
          number: parseInt(basename(dirname(path)), 10) || undefined,
          title,
          status,
          states: states(
            status,
            ['provisional', 'implementable', 'implemented', 'deferred', 'rejected', 'withdrawn', 'replaced'],
            { superseded: 'replaced' },
          ),
        };
      }),
  'rust-rfc': (root) =>
    files(root, 'text', /^\d{4}-.*\.md$/).map((path) => ({
      path,
      number: parseInt(basename(path), 10),
      title: basename(path, '.md').replace(/^\d+-/, '').replace(/[-_]+/g, ' '),
      // Only accepted RFCs are in the repository.
      status: undefined,
      states: ['active'],
    })),
  gep: (root) =>
    tree(root, 'geps')
      .filter((path) => /\/gep-\d+\/index\.md$/.test(path) && existsSync(join(root, dirname(path), 'metadata.yaml')))
      .map((path) => {
        const side = join(dirname(path), 'metadata.yaml');
        const { number, name, status } = yaml(read(root, side));
        return {
          path,
          side,
          number: Number(number),
          title: name,
          status,
          states: states(
            status,
            [
              'provisional',
              'prototyping',
              'implementable',
              'experimental',
              'standard',
              'completed',
              'memorandum',
              'deferred',
              'declined',
              'withdrawn',
            ],
            { accepted: 'memorandum' },
          ),
        };
      }),
  'sep-1286': (root) => seps(root, ['provisional', 'prototyping', 'deferred']),
  'mcp-2026': (root) => seps(root, []),
};

// The documents of MCP itself. Their form is not uniform, so a number or a title that is not found is not compared.
const seps = (root, moreStates) =>
  tree(root, '.')
    .filter((path) => path.endsWith('.md') && !/(^|\/)(readme|template)\.md$/i.test(path))
    .map((path) => {
      const text = read(root, path);
      const title = /^#[ \t]*SEP[- ]?(\d+|[NX]{2,})[ \t]*[:–—-][ \t]*(.*?)[ \t]*$/im.exec(text);
      const named = /^(\d+)-/.exec(basename(path));
      const number = [title?.[1], named?.[1]].map(Number).find((value) => value > 0);
      const row = /^\|[ \t]*\**Status\**[ \t]*\|[ \t]*`?([^|`]*?)`?[ \t]*\|/im.exec(text)?.[1];
      const status = row ?? /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?Status(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(.*?)[ \t]*$/im.exec(text)?.[1];
      return {
        path,
        number,
        title: title?.[2].replace(/[`*]/g, ''),
        status,
        states: status
          ? states(
              status,
              ['proposal', 'draft', 'in-review', 'accepted', 'final', 'rejected', 'withdrawn', 'superseded', 'dormant', ...moreStates],
              { draft: ['draft', 'proposal'], approved: 'accepted', 'accepted with changes': 'accepted' },
            )
          : ['proposal'],
      };
    });

const read = (root, path) => readFileSync(join(root, path), 'utf8').replace(/^\uFEFF/, '');

const files = (root, folder, pattern) =>
  readdirSync(join(root, folder))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);

const tree = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length))
    .sort();

// The fields before the first blank line, as in a mail.
function header(text) {
  const fields = {};
  let last;
  for (const line of text.replace(/^\s+/, '').split(/\r?\n/)) {
    if (line.trim() === '') {
      break;
    }
    const field = /^([\w-]+):\s*(.*)$/.exec(line);
    if (field && !/^\s/.test(line)) {
      last = field[1];
      fields[last] = field[2].trim();
    } else if (last) {
      fields[last] = `${fields[last]} ${line.trim()}`.trim();
    }
  }
  return fields;
}

// The text values at the top level of a YAML mapping; lists and mappings are ignored.
function yaml(text) {
  const fields = {};
  const lines = text.split(/\r?\n/);
  lines.forEach((line, n) => {
    const field = /^([\w-]+):[ \t]*(.*)$/.exec(line);
    if (!field) {
      return;
    }
    let value = field[2].trim();
    for (let next = n + 1; /^[|>]?[-+]?$/.test(value) === false && /^[ \t]+[^-\s]/.test(lines[next] ?? ''); next++) {
      value += ` ${lines[next].trim()}`;
    }
    const quoted = /^(["'])(.*?)\1\s*(#.*)?$/.exec(value);
    fields[field[1]] = quoted
      ? quoted[1] === '"'
        ? quoted[2].replace(/\\(["\\])/g, '$1')
        : quoted[2].replaceAll("''", "'")
      : value.replace(/\s#.*$/, '').trim();
  });
  return fields;
}

function states(status, known, others = {}) {
  // A remark in parentheses does not count.
  const word = (status ?? '').toLowerCase().replace(/\s*\(.*\)$/, '');
  const other = others[word];
  return other ? [other].flat() : known.includes(word.replaceAll(' ', '-')) ? [word.replaceAll(' ', '-')] : [];
}
