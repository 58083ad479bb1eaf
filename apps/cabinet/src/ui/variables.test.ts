import { compileText, replaceCharacterClasses, VariableError } from '@heliograph/domain';
import { describe, expect, it } from 'vitest';
import { insertVariable, matching, matchingClasses, openVariable, written } from './variables.ts';

describe('variables', () => {
  it.each([
    ['Hi {', 4, ''],
    ['Hi {fir', 7, 'fir'],
    ['Hi {fir', 2, null],
    ['Hi {{', 5, null],
    ['Hi {firstName} ', 15, null],
    ['Hi {firstName|fr', 16, null],
    ['Hi', 2, null],
  ])('%s at %i is writing %s', (text, caret, typed) => {
    expect(openVariable(text, caret)).toBe(typed);
  });

  it('finishes what is being written, or puts a new one in', () => {
    expect(insertVariable('Hi {fir!', 7, '{firstName}')).toEqual({
      text: 'Hi {firstName}!',
      caret: 14,
    });
    expect(insertVariable('Code !', 5, '%d{1,10}').text).toBe('Code %d{1,10}!');
    expect(insertVariable('Code {dig!', 9, '%d{1,10}').text).toBe('Code %d{1,10}!');
  });

  it('finds names by a part of them', () => {
    expect(matching('name')).toEqual(['firstName', 'middleName', 'lastName']);
    expect(matching('custom2')).toEqual(['custom20']);
  });

  it('finds classes by a part of their names and writes them as operators do', () => {
    expect(matchingClasses('digits')).toContain('lettersDigitsSpaces');
    expect(matchingClasses('').map(written)).toContain('%w+{1,10}');
    for (const macro of matchingClasses('').map(written)) {
      expect(() => compileText(`Code ${macro}`)).toThrow(VariableError);
      expect(replaceCharacterClasses(`Code ${macro}!`, () => '…')).toBe('Code …!');
    }
  });
});
