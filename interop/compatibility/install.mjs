// Installs the programs of other projects in the pinned versions: npm packages, and the class paths of the JVM clients.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './children.mjs';
import { folder } from './gavel.mjs';

const MINUTES = 60_000;
const JAVA = join(folder, 'java');

// Installs the packages of a folder (clients, agents or servers), if they are not installed or have changed. No package needs its
// install script.
export async function installPackages(name) {
  const directory = join(folder, name);
  const wanted = join(directory, 'package.json');
  const installed = join(directory, 'node_modules/.installed');
  if (!existsSync(installed) || !readFileSync(installed).equals(readFileSync(wanted))) {
    console.error(`installing the packages of ${directory} (once, some minutes)`);
    await succeed(['npm', 'install', '--loglevel=error'], directory);
    copyFileSync(wanted, installed);
  }
}

export const packageVersion = (name, dependency) =>
  JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).dependencies[dependency];

// The class path of a profile in java/pom.xml.
export const classPath = once(async (profile) => {
  const file = join(JAVA, 'target', `${profile}.classpath`);
  const pom = join(JAVA, 'pom.xml');
  const copy = `${file}.pom`;
  if (!existsSync(copy) || !readFileSync(copy).equals(readFileSync(pom))) {
    console.error(`downloading the libraries of ${profile} (once)`);
    mkdirSync(join(JAVA, 'target'), { recursive: true });
    await succeed(['mvn', '-B', '-ntp', '-q', '-P', profile, 'dependency:build-classpath', `-Dmdep.outputFile=${file}`], JAVA);
    copyFileSync(pom, copy);
  }
  return readFileSync(file, 'utf8').trim();
});

export const mavenVersion = (profile) =>
  new RegExp(`<id>${profile}</id>[\\s\\S]*?<version>([^<]+)</version>`).exec(readFileSync(join(JAVA, 'pom.xml'), 'utf8'))[1];

export const javaCommand = (program = 'java') =>
  process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', program) : program;

// The command that runs a Java source file with its class path. Java compiles it, and the files of the folder that it uses.
export async function javaClient(profile, source) {
  return [javaCommand(), '-Xmx512m', '-cp', await classPath(profile), join(JAVA, `${source}.java`)];
}

// The command that runs a Kotlin source file, which this compiles first.
export const kotlinClient = once(async (profile, source) => {
  const path = await classPath(profile);
  const classes = join(JAVA, 'target', profile);
  mkdirSync(classes, { recursive: true });
  const driver = join(JAVA, 'Driver.java');
  await succeed([javaCommand('javac'), '-d', classes, driver], JAVA);
  await succeed(
    [
      javaCommand(),
      '-cp',
      await classPath('kotlin-compiler'),
      'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler',
      '-no-stdlib',
      '-nowarn',
      '-cp',
      `${path}:${classes}`,
      '-d',
      classes,
      join(JAVA, `${source}.kt`),
    ],
    JAVA,
  );
  return [javaCommand(), '-Xmx512m', '-cp', `${classes}:${path}`, source];
});

// Clients that start at the same time share what is made for the first one.
function once(make) {
  const made = new Map();
  return (name, ...more) => {
    if (!made.has(name)) {
      made.set(name, make(name, ...more));
    }
    return made.get(name);
  };
}

async function succeed(command, cwd) {
  const { code, out, err } = await run(command, { cwd, timeout: 15 * MINUTES });
  if (code !== 0) {
    throw new Error(`'${command.slice(0, 4).join(' ')}' failed: ${(err + out).trim().slice(-400)}`);
  }
}
