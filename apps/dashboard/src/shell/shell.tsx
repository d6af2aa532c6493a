import { AppShell, Burger, Group, NavLink, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import logo from '../davit.svg';
import { PageLink, usePlace } from '../parts/link.js';
import { ExplainDrawer } from '../explain/drawer.js';
import { PastOrNow } from '../time/past.js';
import { TimeBar } from '../time/time-bar.js';
import { Connection } from './connection.js';
import { Scheme } from './scheme.js';
import styles from './shell.module.css';

const PLACES = [
  { path: '/', name: 'Fleet' },
  { path: '/replicas', name: 'Replicas' },
  { path: '/routes', name: 'Routes' },
  { path: '/cost', name: 'Cost' },
  { path: '/capacity', name: 'Capacity' },
  { path: '/events', name: 'Events' },
  { path: '/apply', name: 'Apply' },
] as const;

/** What surrounds every view. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [open, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const place = usePlace();
  const main = useRef<HTMLElement>(null);
  const arrived = useRef(false);
  useEffect(() => {
    close();
    // Whoever followed a link goes on reading at what it led to.
    if (arrived.current) main.current?.focus({ preventScroll: true });
    arrived.current = true;
  }, [pathname, close]);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 176, breakpoint: 'sm', collapsed: { mobile: !open } }}
      footer={{ height: 46 }}
      padding="md"
      withBorder
    >
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <AppShell.Header className={styles.bar}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={open} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <PageLink to="/" underline="never" className={styles.brand}>
              <img src={logo} alt="" width={24} height={24} />
              Davit
            </PageLink>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <Connection />
            <Scheme />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" className={styles.bar}>
        <ScrollArea>
          <nav aria-label="Views">
            {PLACES.map(({ path, name }) => {
              const active = path === '/' ? pathname === '/' || pathname.startsWith('/deployments') : pathname === path;
              return (
                <NavLink
                  key={path}
                  component={Link}
                  to={place(path)}
                  label={name}
                  active={active}
                  aria-current={active ? 'page' : undefined}
                  className={styles.nav}
                />
              );
            })}
          </nav>
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={styles.main}>
        <PastOrNow>{children}</PastOrNow>
      </AppShell.Main>
      <AppShell.Footer className={styles.bar}>
        <TimeBar />
      </AppShell.Footer>
      <ExplainDrawer />
    </AppShell>
  );
}
