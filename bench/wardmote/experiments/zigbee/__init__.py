# SPDX-License-Identifier: BSD-3-Clause
"""What encryption by AES costs motes that send a picture in frames of ZigBee.

As with `wardmote tinysec`, each module of `verbs` is a sub-verb, and what it measures stands beside
`verbs`, in a module that imports no view.
"""

GROUP = "What does AES cost motes that send a picture in frames of ZigBee?"
