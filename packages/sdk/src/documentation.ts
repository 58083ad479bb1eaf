/** A section of a page that has the words. */
export interface Section {
  /** `api/webhooks`. */
  page: string;
  title: string;
  heading: string;
  /** The beginning of the section. */
  excerpt: string;
}

interface Entry {
  category: string;
  file: string;
  title: string;
  locale: string;
}
interface Loaded {
  page: string;
  title: string;
  text: string;
}

const MAX_SECTIONS = 8;
const EXCERPT_LENGTH = 600;

/** The documentation of an installation, read once for each language. */
export class Documentation {
  readonly #url: string;
  readonly #pages = new Map<string, Promise<Loaded[]>>();

  constructor(url: string) {
    this.#url = url;
  }

  /** The sections with most of the words, those with them in a heading first. */
  async search(query: string, language: string): Promise<Section[]> {
    const words = wordsOf(query);
    const found = (await this.#load(language)).flatMap((loaded) =>
      sectionsOf(loaded).map((section) => ({ section, score: scoreOf(section, words) })),
    );
    return found
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MAX_SECTIONS)
      .map(({ section }) => ({ ...section, excerpt: section.excerpt.slice(0, EXCERPT_LENGTH) }));
  }

  async page(name: string, language: string): Promise<string> {
    const pages = await this.#load(language);
    const found = pages.find(({ page }) => page === name);
    if (!found)
      throw new Error(
        `There is no page ${name}. Pages: ${pages.map(({ page }) => page).join(', ')}`,
      );
    return found.text;
  }

  #load(language: string): Promise<Loaded[]> {
    if (!/^[a-z]{2}$/.test(language)) throw new Error(`${language} is no language.`);
    let pages = this.#pages.get(language);
    if (!pages) {
      pages = this.#read(language);
      this.#pages.set(language, pages);
      // What could not be read is read again the next time.
      pages.catch(() => this.#pages.delete(language));
    }
    return pages;
  }

  async #read(language: string): Promise<Loaded[]> {
    const { pages } = JSON.parse(await this.#get(`${language}/index.json`)) as { pages: Entry[] };
    return Promise.all(
      pages.map(async ({ category, file, title, locale }) => {
        const page = `${category}/${file}`;
        return { page, title, text: await this.#get(`${locale}/${page}.md`) };
      }),
    );
  }

  async #get(path: string): Promise<string> {
    const answer = await fetch(`${this.#url}/docs/${path}`, {
      signal: AbortSignal.timeout(30_000),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
  }
}

const wordsOf = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []),
];

/** A page by its headings. */
function sectionsOf({ page, title, text }: Loaded): Section[] {
  return text.split(/^(?=#{1,4} )/m).map((part) => {
    const heading = /^#{1,4} (.*)/.exec(part)?.[1] ?? title;
    return { page, title, heading, excerpt: part.replace(/^#{1,4} .*\n/, '').trim() };
  });
}

/** A word in a heading counts as five in the text. */
function scoreOf({ heading, excerpt }: Section, words: string[]): number {
  const [above, below] = [heading.toLowerCase(), excerpt.toLowerCase()];
  return words.reduce(
    (sum, word) => sum + (above.includes(word) ? 5 : 0) + (below.includes(word) ? 1 : 0),
    0,
  );
}
