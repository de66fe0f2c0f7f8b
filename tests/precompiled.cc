// SPDX-License-Identifier: LGPL-2.1-or-later

// Nothing but an owner of the precompiled header.
