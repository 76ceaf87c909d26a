/** The clients in other languages, as data: how to run their tests and the example of their README. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  findPython,
  hasGo,
  hasJava,
  hasPhp,
  javaOptions,
  mavenEnv,
  mavenTest,
  runProgram,
} from '../support/client-languages.ts';

const folder = join(import.meta.dirname, '../../clients');

export interface Client {
  name: string;
  folder: string;
  /** The example, which the README shows. */
  example: string;
  isHere: boolean;
  howToEnable: string;
  runTests(): Promise<string>;
  /** Compiles the example if need be; `temp` is an empty folder. */
  prepareExample(temp: string): Promise<{ command: string; args: string[]; env?: Record<string, string> }>;
}

const inCi = process.env.CI === 'true';

export const clients: readonly Client[] = [
  {
    name: 'Go',
    folder: join(folder, 'go'),
    example: 'example/main.go',
    isHere: inCi || hasGo(),
    howToEnable: 'needs Go 1.22 or later in the PATH',
    // Go would not notice that the vectors, which are outside the module, have changed.
    runTests: () => runProgram('go', ['test', '-count=1', './...'], { cwd: join(folder, 'go') }),
    async prepareExample(temp) {
      await runProgram('go', ['build', '-o', join(temp, 'example'), './example'], { cwd: join(folder, 'go') });
      return { command: join(temp, 'example'), args: [] };
    },
  },
  {
    name: 'Python',
    folder: join(folder, 'python'),
    example: 'example.py',
    isHere: inCi || findPython() !== undefined,
    howToEnable: 'needs Python 3.9 or later with the package cryptography',
    runTests: () =>
      runProgram(python(), ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'], {
        cwd: join(folder, 'python'),
        env: { PYTHONPATH: '.', PYTHONDONTWRITEBYTECODE: '1' },
      }),
    prepareExample: async () => ({ command: python(), args: ['example.py'], env: { PYTHONDONTWRITEBYTECODE: '1' } }),
  },
  {
    name: 'Java',
    folder: join(folder, 'java'),
    example: 'src/test/java/example/Example.java',
    isHere: inCi || hasJava(),
    howToEnable: 'needs a JDK, 17 or later, and Maven (Debian: apt-get install default-jdk-headless maven)',
    runTests: () =>
      runProgram('mvn', [...mavenTest, 'dependency:build-classpath', '-Dmdep.outputFile=target/classpath'], {
        cwd: join(folder, 'java'),
        env: mavenEnv,
      }),
    async prepareExample() {
      const libraries = readFileSync(join(folder, 'java/target/classpath'), 'utf8').trim();
      const classPath = ['target/classes', 'target/test-classes', libraries].join(':');
      return { command: 'java', args: [...javaOptions, '-cp', classPath, 'example.Example'] };
    },
  },
  {
    name: 'PHP',
    folder: join(folder, 'php'),
    example: 'example.php',
    isHere: inCi || hasPhp(),
    howToEnable: 'needs PHP 8.1 or later (Debian: apt-get install php-cli php-psr php-nyholm-psr7)',
    async runTests() {
      const ofClient = await runProgram('php', ['tests/run.php'], { cwd: join(folder, 'php') });
      return ofClient + (await runProgram('php', ['tests/run.php'], { cwd: join(folder, 'wordpress') }));
    },
    prepareExample: async (temp) => ({
      command: 'php',
      args: ['-S', '127.0.0.1:$PORT', 'example.php'],
      env: { KEYS_FILE: join(temp, 'keys', 'keys.json') },
    }),
  },
];

function python(): string {
  return findPython() ?? 'python3';
}
