/** The problems of a form, by field. After a submit with problems the focus goes to the first field that has one. */
import { useEffect, useRef, useState } from 'preact/hooks';

export type Problems = Readonly<Record<string, string>>;

export function useProblems() {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  /** Runs `rules`: by field, the text of its problem where the value is wrong. True without problems. */
  const check = (rules: Record<string, (value: string) => string | undefined>): boolean => {
    const fields = new FormData(form.current!);
    const found = Object.entries(rules).flatMap(([name, rule]) => {
      const problem = rule(String(fields.get(name) ?? ''));
      return problem === undefined ? [] : [[name, problem] as const];
    });
    setProblems(Object.fromEntries(found));
    return found.length === 0;
  };
  return { form, problems, check };
}
