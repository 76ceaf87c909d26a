/** One room: state, charts and all controls. */
import { auditPanel } from '../audit/audit-view.ts';
import type { Desk, View } from '../controls/desk.ts';
import { el } from '../controls/dom.ts';
import type { Panel } from '../controls/panel.ts';
import { accessPanel } from './access/access-panel.ts';
import { visitorPanel } from './access/visitor-panel.ts';
import { chartsPanel } from './charts-panel.ts';
import { controlsPanel } from './controls-panel.ts';
import { drawPanel } from './draw-panel.ts';
import { lotSourcesPanel } from './lot-sources-panel.ts';
import { messagePanel } from './message-panel.ts';
import { failOpenPanel } from './pace/fail-open-panel.ts';
import { healthPanel } from './pace/health-panel.ts';
import { salesPanel } from './sales-panel.ts';
import { settingsPanel } from './settings/settings-panel.ts';
import { statusPanel } from './status-panel.ts';
import { tier1Panel } from './tier1-panel.ts';

export function roomView(desk: Desk, eventId: string): View {
  const { texts, facts } = desk;
  const audit = auditPanel(desk, eventId);
  const panels: Panel[] = [
    statusPanel(desk, eventId),
    controlsPanel(desk, eventId),
    chartsPanel(desk),
    healthPanel(desk, eventId),
    messagePanel(desk, eventId),
    tier1Panel(desk, eventId),
    drawPanel(desk, eventId),
    lotSourcesPanel(desk, eventId),
    ...(facts.hasShop ? [salesPanel(desk, eventId)] : []),
    failOpenPanel(desk, eventId),
    accessPanel(desk, eventId),
    visitorPanel(desk, eventId),
    settingsPanel(desk, eventId),
    audit,
  ];
  const absent = el('p', { className: 'note', textContent: texts.nothingHere, hidden: true });
  const body = el('div', { className: 'panels', hidden: true }, ...panels.map(({ root }) => root));
  return {
    title: eventId,
    historyOf: eventId,
    root: el('div', { className: 'view' }, absent, body),
    update(overview) {
      const room = overview.rooms.find((one) => one.eventId === eventId);
      absent.hidden = room !== undefined;
      body.hidden = room === undefined;
      if (room !== undefined) for (const panel of panels) panel.update?.(room, overview);
    },
    close() {
      for (const panel of panels) panel.close?.();
    },
  };
}
