// Package deprecation has what Helm needs to compile. It replaces the package of Kubernetes, which asks a cluster.
package deprecation

import "k8s.io/apimachinery/pkg/runtime"

func IsDeprecated(runtime.Object, int, int) bool { return false }

func WarningMessage(runtime.Object) string { return "" }
