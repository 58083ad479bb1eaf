export declare const TEST_FILES: Record<
  'unit' | 'api' | 'cabinet' | 'components' | 'e2e' | 'allJourneys' | 'attacks',
  string[]
>;
export declare function excludedFiles(project: string, isAll: boolean): string[];
export declare function matchingFiles(project: string, words: string[], isAll: boolean): string[];
export declare function unmatchedWords(
  projects: string[],
  words: string[],
  isAll: boolean,
): string[];
